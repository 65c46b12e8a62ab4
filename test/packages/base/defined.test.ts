import { defined } from '#base/defined';

test('the copy of an object leaves out undefined members, and no others', () => {
  const made = defined({ a: undefined, b: null, c: 0, d: { e: undefined } });
  expect(Object.keys(made)).toEqual(['b', 'c', 'd']);
  expect(made).toStrictEqual({ b: null, c: 0, d: { e: undefined } });
});
