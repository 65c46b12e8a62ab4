import { JsonPatch } from 'cdk8s';
import * as fc from 'fast-check';
import { appendAt, pointer, putAt, valueAt } from '../../lib/kubernetes/json-pointer';

test('slashes and tildes of keys are escaped', () =>
  expect(pointer('/metadata/annotations', 'linkerd.io/inject', 'a~b', 0)).toBe(
    '/metadata/annotations/linkerd.io~1inject/a~0b/0',
  ));

test.each([
  ['', { a: [{ 'x/y': 1 }] }],
  ['/a/0/x~1y', 1],
  ['/a/1', undefined],
  ['/b/c', undefined],
  ['/a/0/toString', undefined],
])('the value at "%s"', (path, value) => expect(valueAt({ a: [{ 'x/y': 1 }] }, path)).toEqual(value));

test('an escaped tilde before a one is no escaped slash', () =>
  expect(valueAt({ '~1': 'tilde', '/': 'slash' }, '/~01')).toBe('tilde'));

test('what is put somewhere is there, and the rest stays', () => {
  const key = fc.constantFrom('a', 'b/c', 'd~e', 'f');
  void fc.assert(
    fc.property(
      fc.array(key, { minLength: 1, maxLength: 5 }),
      fc.dictionary(key, fc.dictionary(key, fc.record({}))),
      (keys, document) => {
        const path = pointer('', ...keys);
        const result = JsonPatch.apply(JSON.parse(JSON.stringify(document)), putAt(document, path, 'new'));
        expect(valueAt(result, path)).toBe('new');
        for (const other of Object.keys(document).filter((name) => name !== keys[0])) {
          expect(valueAt(result, pointer('', other))).toEqual(document[other]);
        }
      },
    ),
  );
});

test('putting keeps what stands beside', () =>
  expect(JsonPatch.apply({ a: { b: 1 } }, putAt({ a: { b: 1 } }, '/a/c/d', 2))).toEqual({ a: { b: 1, c: { d: 2 } } }));

test('appending makes the list, or adds to it', () => {
  expect(JsonPatch.apply({}, appendAt({}, '/a/list', 1))).toEqual({ a: { list: [1] } });
  expect(JsonPatch.apply({ list: [1] }, appendAt({ list: [1] }, '/list', 2))).toEqual({ list: [1, 2] });
});
