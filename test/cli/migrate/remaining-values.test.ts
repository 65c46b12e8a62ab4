import fc from 'fast-check';
import { mergeValues, type Values } from '#base/values';
import { changedValues } from '#lib/cli/migrate/remaining-values';
import { withoutNulls } from '#linkerd/renderers/chart-view';

test('changedValues is empty for equal values', () => {
  expect(changedValues({ a: { b: [1, { c: 2 }] }, d: null }, { d: null, a: { b: [1, { c: 2 }] } })).toEqual({});
});

test('changedValues compares maps by key, and lists as a whole', () => {
  expect(changedValues({ a: { b: 1, c: 2 }, l: [1, 2] }, { a: { b: 1, c: 3 }, l: [1] })).toEqual({
    a: { c: 3 },
    l: [1],
  });
});

test('changedValues has null for a removed key', () => {
  expect(changedValues({ a: 1, b: { c: 1 } }, { b: {} })).toEqual({ a: null, b: { c: null } });
});

test('changedValues, merged over the base, gives the changed values', () => {
  const values = fc.letrec<{ map: Values; value: Values[string] }>((tie) => ({
    map: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value') as fc.Arbitrary<Values>),
    value: fc.oneof({ maxDepth: 3 }, fc.constantFrom(null, 0, 1, 'x', [], [1]), tie('map')),
  })).map;
  fc.assert(
    fc.property(values, values, (base, over) => {
      const all = mergeValues(base, over);
      expect(withoutNulls(mergeValues(base, changedValues(base, all)))).toEqual(withoutNulls(all));
    }),
  );
});
