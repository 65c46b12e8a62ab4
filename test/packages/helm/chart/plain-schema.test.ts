import fc from 'fast-check';
import { compiledSchema } from '#helm/chart/compiled-schema';
import { isJsonObject, type JsonValue } from '#helm/chart/objects';
import { plainSchema } from '#helm/chart/plain-schema';
import type { Budget } from '#helm/go/values';
import '#test/support/fixed-seed';

const free = { spend: () => undefined } as unknown as Budget;
const DRAFTS = ['4', '6', '7', '2019', '2020'] as const;

const KEYS = ['a', 'b', 'toString', '__proto__'];
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const scalars = fc.constantFrom<JsonValue>(null, true, 0, 1, 1.5, '', 'x', '1');
const data = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 3 }),
  ),
})).value;

const subschemas = fc.letrec<{ schema: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant<JsonValue>({}),
    fc.constantFrom<JsonValue>({ $ref: '#/$defs/x' }, { $ref: '#/$defs/y', description: 'A reference.' }),
    fc
      .record(
        {
          type: fc.oneof(fc.constantFrom(...TYPES), fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1 })),
          enum: fc.uniqueArray(scalars, { minLength: 1, maxLength: 4 }),
          required: fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 2 }),
          properties: fc.dictionary(fc.constantFrom(...KEYS.slice(0, 3)), tie('schema')),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
          items: tie('schema'),
          default: scalars,
          title: fc.constant('A title.'),
          // Rarely, a keyword that only the compiler supports or that it refuses.
          minLength: fc.constant(1),
          description: fc.constantFrom<JsonValue>('A text.', 'Another.', 'A third.', 1),
        },
        { requiredKeys: [] },
      )
      .map(
        ({ minLength, ...schema }): JsonValue =>
          schema.title === undefined && minLength !== undefined ? { minLength, ...schema } : schema,
      ),
  ),
})).schema;

const schemas = fc
  .record({ root: subschemas, x: subschemas, y: subschemas })
  .filter(({ root }) => isJsonObject(root))
  .map(({ root, x, y }) => JSON.parse(JSON.stringify({ ...(root as object), $defs: { x, y } })) as JsonValue);

test.each(DRAFTS)('a plain schema of draft %s accepts exactly what the compiled one accepts', (draft) => {
  let plainOnes = 0;
  fc.assert(
    fc.property(schemas, fc.array(data, { minLength: 1, maxLength: 10 }), (schema, values) => {
      const plain = plainSchema(schema);
      if (plain === undefined) return;
      plainOnes += 1;
      const compiled = compiledSchema(schema, draft);
      for (const value of values) {
        expect([value, plain.accepts(value, free)]).toEqual([value, compiled.check(value, free).length === 0]);
      }
    }),
    { numRuns: 100 },
  );
  expect(plainOnes).toBeGreaterThan(20);
});

const definitions = (x: JsonValue) => ({ $defs: { x }, $ref: '#/$defs/x' });

test.each<readonly [string, JsonValue]>([
  ['is true', true],
  ['is a list', []],
  ['has a keyword of a draft', { minLength: 1 }],
  ['has an unknown keyword', { properties: { a: { 'x-kind': 1 } } }],
  ['has an unknown type', { type: 'text' }],
  ['has a type twice', { type: ['string', 'string'] }],
  ['has no type in a list', { type: [] }],
  ['has a description that is no string', { properties: { a: { description: 1 } } }],
  ['has an enumeration of maps', { enum: [{ a: 1 }] }],
  ['has an empty enumeration', { enum: [] }],
  ['has a list of items', { items: [{}] }],
  ['requires a number', { required: [1] }],
  ['has properties that are a list', { properties: [] }],
  ['has a property that is no schema', { properties: { a: 1 } }],
  ['describes __proto__', JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')],
  ['has an identifier', { $id: 'https://example.com/x.json' }],
  ['has definitions within', { properties: { a: { $defs: {} } } }],
  ['names a draft within', { properties: { a: { $schema: 'http://json-schema.org/draft-07/schema#' } } }],
  ['refers to nothing', { $ref: '#/$defs/x' }],
  ['refers to itself', { properties: { a: { $ref: '#' } } }],
  ['refers to a schema elsewhere', { $ref: 'https://example.com/x.json' }],
  ['refers to an escaped name', { $defs: { 'x/y': {} }, $ref: '#/$defs/x~1y' }],
  ['refers to a reference', definitions({ $ref: '#/$defs/x' })],
  ['has a type beside a reference', { ...definitions({}), type: 'string' }],
])('the plain validator leaves to the compiler a schema that %s', (_, schema) => {
  expect(plainSchema(schema)).toBeUndefined();
});

test('the plain validator supports generated schemas, and each applied subschema costs a step', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $defs: {
      values: { type: 'object', additionalProperties: false, properties: { a: { $ref: '#/$defs/values.a' }, b: {} } },
      'values.a': { type: 'array', items: { type: 'string' }, default: [], description: 'A list.' },
    },
    $ref: '#/$defs/values',
  };
  let steps = 0;
  const budget = {
    spend: (more: number) => {
      steps += more;
    },
  } as unknown as Budget;
  expect(plainSchema(schema)?.accepts({ a: ['x', 'y'] }, budget)).toBe(true);
  // Steps for the root, the values, the reference, the list and its items.
  expect(steps).toBe(6.25);
  expect(plainSchema(schema)?.accepts({ a: [1] }, budget)).toBe(false);
  expect(plainSchema(schema)?.accepts({ c: 1 }, budget)).toBe(false);
});

test('the plain validator leaves deep schemas, or those with thousands of parts, to the compiler', () => {
  const deep = (levels: number): JsonValue => JSON.parse(`${'{"items":'.repeat(levels)}{}${'}'.repeat(levels)}`);
  const wide = (parts: number): JsonValue => ({
    properties: Object.fromEntries(Array.from({ length: parts }, (__, index) => [`a${index}`, {}])),
  });
  expect([deep(40), wide(5_000)].map(plainSchema)).not.toContain(undefined);
  expect([deep(60), deep(100_000), wide(20_000)].map(plainSchema)).toEqual([undefined, undefined, undefined]);
});
