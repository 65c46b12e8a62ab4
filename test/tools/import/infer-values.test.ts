import { inferValues } from '#tools/import/infer-values';
import { integer, listOf, openMap, string, type ValuesKnowledge } from '#tools/import/value-types';

const NOTHING: ValuesKnowledge = { byName: {}, byPath: {}, extra: {} };

test('defaults show their types, and which keys there are', () => {
  expect(inferValues({ a: 'x', b: true, c: 1, d: 0.5, e: ['x'], f: { g: 'y' } }, NOTHING)).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'boolean' },
      c: { type: 'integer' },
      d: { type: 'number' },
      e: { type: 'array', items: { type: 'string' } },
      f: { type: 'object', properties: { g: { type: 'string' } }, additionalProperties: false },
    },
    additionalProperties: false,
  });
});

test.each([
  ['null', null],
  ['an empty map', {}],
  ['an empty list', []],
  ['a list of maps', [{ a: 1 }]],
  ['a list of several types', ['a', 1]],
])('%s does not show a type', (_what, value) => {
  expect(() => inferValues({ a: { b: value } }, NOTHING)).toThrow('upstream does not say what a.b may be');
});

test('all unclear keys are named at once', () => {
  expect(() => inferValues({ a: null, b: {} }, NOTHING)).toThrow('what a, b may be');
});

test('knowledge by name applies at any depth, knowledge by path goes before it', () => {
  const knowledge = { ...NOTHING, byName: { x: string }, byPath: { 'a.x': integer } };
  expect(inferValues({ a: { x: null }, b: { x: null } }, knowledge).properties).toMatchObject({
    a: { properties: { x: { type: 'integer' } } },
    b: { properties: { x: { type: 'string' } } },
  });
});

test('keys that the defaults leave out are added, with the maps they are in', () => {
  const knowledge = { ...NOTHING, extra: { 'a.new': openMap, 'b.deep.er': listOf(string) } };
  expect(inferValues({ a: { x: 1 } }, knowledge).properties).toMatchObject({
    a: { properties: { x: { type: 'integer' }, new: openMap } },
    b: { properties: { deep: { properties: { er: listOf(string) }, additionalProperties: false } } },
  });
});

test('an extra key that the defaults have is refused', () => {
  expect(() => inferValues({ a: 1 }, { ...NOTHING, extra: { a: integer } })).toThrow('a counts as extra');
});

test('knowledge about a path that is not there (any more) is refused', () => {
  expect(() => inferValues({ a: 1 }, { ...NOTHING, byPath: { 'a.b': integer } })).toThrow('upstream has no a.b');
});
