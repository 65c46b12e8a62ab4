import Ajv from 'ajv';
import type { JsonSchema } from '#tools/import/json-schema';
import { shareDefinitions } from '#tools/import/share-definitions';

function closed(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, additionalProperties: false };
}

const secretRef = closed({
  name: { type: 'string', maxLength: 253 },
  namespace: { type: 'string', maxLength: 63 },
  key: { type: 'string' },
});
const nested = closed({ secretRef, other: { type: 'boolean' } });

test('what occurs twice is defined once, under the name of its field', () => {
  const shared = shareDefinitions({ A: closed({ caRef: secretRef }), B: closed({ keyRef: secretRef }) });
  expect(Object.keys(shared)).toEqual(['A', 'B', 'CaRef']);
  expect(shared.B?.properties?.keyRef).toEqual({ $ref: '#/definitions/CaRef' });
});

test('a name that is taken, or says nothing, is made longer from the left', () => {
  const spec = closed({ secretRef, more: { type: 'string', pattern: `^${'x'.repeat(99)}$` } });
  const shared = shareDefinitions({ A: closed({ spec }), B: closed({ spec }), SecretRef: { type: 'string' } });
  expect(Object.keys(shared)).toEqual(['A', 'ASpec', 'B', 'SecretRef']);
});

test('shared schemas accept what the plain ones do', () => {
  const definitions = { A: closed({ nested }), B: closed({ nested, list: { type: 'array', items: secretRef } }) };
  const accepts = (schemas: object, data: unknown): boolean =>
    new Ajv().validate({ $ref: '#/definitions/B', definitions: schemas }, data);
  const good = { nested: { secretRef: { name: 'x' }, other: true }, list: [{ key: 'k' }] };
  const bad = { ...good, list: [{ keys: 'k' }] };
  for (const schemas of [definitions, shareDefinitions(definitions)]) {
    expect(accepts(schemas, good)).toBe(true);
    expect(accepts(schemas, bad)).toBe(false);
  }
});
