import { defined } from '#base/defined';

test('members that are undefined are left out, and no others', () => {
  const made = defined({ a: undefined, b: null, c: 0, d: { e: undefined } });
  expect(Object.keys(made)).toEqual(['b', 'c', 'd']);
  expect(made).toStrictEqual({ b: null, c: 0, d: { e: undefined } });
});
