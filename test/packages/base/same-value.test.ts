import fc from 'fast-check';
import { canonicalJson } from '#base/canonical-json';
import { differentMembers, isSameValue } from '#base/same-value';

test('two values are equal exactly if their JSON with sorted keys is equal', () => {
  // Few keys and scalars, so that many pairs are equal. `__proto__` and undefined are members like all others.
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(undefined, null, 0, -0, 1, '', Number.NaN, new Date(0), new Date(1)),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
    ),
  }));
  const pairs = fc.sample(fc.tuple(value, value), { numRuns: 5_000, seed: 1 });
  const expected = pairs.map(([one, other]) => canonicalJson(one) === canonicalJson(other));
  expect(pairs.map(([one, other]) => isSameValue(one, other))).toEqual(expected);
  expect(expected.filter((isSame) => isSame).length).toBeGreaterThan(150);
});

test('the comparison lists members that were added, removed or changed', () => {
  const before = { same: { x: 1, y: 2 }, changed: [1], removed: 0, absent: undefined };
  expect(differentMembers(before, { same: { y: 2, x: 1 }, changed: [2], added: '' })).toEqual([
    'changed',
    'removed',
    'added',
  ]);
  expect(differentMembers(undefined, 'text')).toEqual([]);
});
