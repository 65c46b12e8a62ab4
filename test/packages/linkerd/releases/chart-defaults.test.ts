import fc from 'fast-check';
import type { Values } from '#base/values';
import { isChanged, withChanges } from '#linkerd/releases/chart-defaults';
import { storedValues, valueChanges } from '#tools/import/value-changes';

const NEWEST = { release: 'edge-2', values: { a: { b: 1, c: null, 'd.e': [1] }, long: 'x'.repeat(99) } };

test.each<[string, Values, readonly object[]]>([
  ['a value that differs', { ...NEWEST.values, long: 'y' }, [{ at: ['long'], value: 'y' }]],
  ['a removed key', { long: NEWEST.values.long }, [{ at: ['a'] }]],
  [
    'a value that becomes null, and a value that was null',
    { ...NEWEST.values, a: { b: null, c: 2, 'd.e': [1] } },
    [
      { at: ['a', 'b'], value: null },
      { at: ['a', 'c'], value: 2 },
    ],
  ],
  ['a key with a dot', { ...NEWEST.values, a: { ...NEWEST.values.a, 'd.e': [] } }, [{ at: ['a', 'd.e'], value: [] }]],
  ['nothing', NEWEST.values, []],
])('storedValues stores %s', (_, values, changes) => {
  expect(JSON.parse(storedValues(values, NEWEST))).toEqual({ base: 'edge-2', changes });
});

test('storedValues stores values without a base if they have little in common with it', () => {
  expect(JSON.parse(storedValues({ z: 1 }, NEWEST))).toEqual({ z: 1 });
});

test('storedValues refuses values that look like stored changes', () => {
  expect(() => storedValues({ base: 'x', changes: [] }, NEWEST)).toThrow('look like changes to other values');
  expect(isChanged({ base: 'x', changes: [], other: 1 })).toBe(false);
});

const key = fc.constantFrom('a', 'b', 'c', 'd.e');
const { values } = fc.letrec<{ values: Values }>((tie) => ({
  values: fc.dictionary(
    key,
    fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, 0, '', 'x', false),
      fc.array(fc.constantFrom(0, null)),
      tie('values'),
    ),
  ),
}));

test('valueChanges transform any values into any others, and modify neither', () => {
  fc.assert(
    fc.property(values, values, (from, to) => {
      const before = JSON.stringify(from);
      expect({ ...withChanges(from, valueChanges(from, to)) }).toEqual({ ...to });
      expect(JSON.stringify(from)).toBe(before);
    }),
    { seed: 11, numRuns: 300 },
  );
});
