import { pointer, valueAtPointer } from '#base/json-pointer';

test('a JSON pointer escapes slashes and tildes', () =>
  expect(pointer('/metadata/annotations', 'linkerd.io/inject', 'a~b', 0)).toBe(
    '/metadata/annotations/linkerd.io~1inject/a~0b/0',
  ));

test.each([
  ['', { a: [{ 'x/y': 1 }] }],
  ['/a/0/x~1y', 1],
  ['/a/1', undefined],
  ['/b/c', undefined],
  ['/a/0/toString', undefined],
])('the value at the JSON pointer %j is %j', (path, value) =>
  expect(valueAtPointer({ a: [{ 'x/y': 1 }] }, path)).toEqual(value),
);

test('a JSON pointer reads ~01 as a tilde and a 1', () =>
  expect(valueAtPointer({ '~1': 'tilde', '/': 'slash' }, '/~01')).toBe('tilde'));
