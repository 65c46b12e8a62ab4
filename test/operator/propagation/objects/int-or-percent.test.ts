import { resolveIntOrPercent } from '#operator/src/propagation/objects/int-or-percent';

test.each([
  [3, 10, Math.floor, 3],
  ['25%', 10, Math.floor, 2],
  ['25%', 10, Math.ceil, 3],
  ['0%', 10, Math.ceil, 0],
  ['100%', 7, Math.floor, 7],
  ['150%', 4, Math.floor, 6],
])('%p of %p, rounded by %p, resolves to %p', (value, of, round, expected) => {
  expect(resolveIntOrPercent(value, of, round)).toBe(expected);
});
