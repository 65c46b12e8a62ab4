import { valueAt } from '#base/values';

test.each([
  ['a', { b: { c: 0 }, d: null }],
  ['a.b.c', 0],
  ['a.d', null],
  ['a.x', undefined],
  ['a.d.x', undefined],
  ['a.b.c.x', undefined],
])('the value at path %s is %j', (path, expected) => {
  expect(valueAt({ a: { b: { c: 0 }, d: null } }, path)).toEqual(expected);
});
