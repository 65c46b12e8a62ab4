import { isObject } from '#base/is-object';

test.each([[{}], [{ a: 1 }], [Object.create(null)]])('%j is an object', (value) => {
  expect(isObject(value)).toBe(true);
});

test.each([[null], [undefined], [[]], ['text'], [1], [() => ({})]])('%j is none', (value) => {
  expect(isObject(value)).toBe(false);
});
