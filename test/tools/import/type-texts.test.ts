import type { JsonSchema } from '../../../tools/import/json-schema';
import { type TypeScriptOptions, withTypeTexts } from '../../../tools/import/type-texts';

const OPTIONS: TypeScriptOptions = { module: 'crds/example.com', anything: 'unknown' };

function textOf(schema: JsonSchema, options = OPTIONS): unknown {
  const definition = withTypeTexts({ A: { type: 'object', properties: { a: schema } } }, options).A;
  return definition?.properties?.a?.tsType;
}

test.each<[string, JsonSchema]>([
  ['("v1")', { const: 'v1' }],
  ['("a" | "b" | null)', { enum: ['a', 'b', null], type: ['string', 'null'] }],
  ['(number | string)', { type: ['integer', 'string'], pattern: '^x$' }],
  ['(readonly (string)[])', { type: 'array', items: { type: 'string' }, minItems: 1 }],
  ['(readonly Name[] | null)', { type: ['array', 'null'], items: { $ref: '#/definitions/Name' } }],
  ['({ [key: string]: unknown })', { type: 'object', additionalProperties: true }],
  ['({ [key: string]: never })', { type: 'object', additionalProperties: false }],
  ['unknown', {}],
  ["import('../kubernetes').Toleration", { $ref: 'kubernetes#/definitions/Toleration' }],
  ["import('./example.org').Cpu", { $ref: 'crds/example.org#/definitions/Cpu' }],
])('%s', (text, schema) => {
  expect(textOf(schema)).toBe(text);
});

test('values may be any JSON where they may be anything', () => {
  expect(textOf({}, { ...OPTIONS, anything: 'Json' })).toBe('Json');
});

test("lists in an object's metadata may be changed, as cdk8s wants it", () => {
  const list = { type: 'object', properties: { finalizers: { type: 'array', items: { type: 'string' } } } };
  expect(withTypeTexts({ ObjectMeta: list }, OPTIONS).ObjectMeta?.properties?.finalizers?.tsType).toBe('((string)[])');
});

test('objects keep their members, without bounds and combinations', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { a: { $ref: '#/definitions/B' } },
    required: ['a'],
    oneOf: [{ required: ['a'] }],
    minProperties: 1,
    additionalProperties: false,
  };
  const { oneOf: _oneOf, minProperties: _minProperties, ...shape } = schema;
  expect(withTypeTexts({ A: schema }, OPTIONS).A).toEqual(shape);
});

test('a definition that only stands for another one is its alias', () => {
  expect(withTypeTexts({ Server: { $ref: '#/definitions/ServerV1' } }, OPTIONS).Server).toEqual({ tsType: 'ServerV1' });
});
