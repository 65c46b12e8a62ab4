import { JsonPatch } from 'cdk8s';
import * as fc from 'fast-check';
import { pointer, valueAtPointer } from '#base/json-pointer';
import { appendAt, putAt } from '#lib/constructs/meshing/json-patch';

test('putAt writes a value at a pointer, and changes no other key', () => {
  const key = fc.constantFrom('a', 'b/c', 'd~e', 'f');
  void fc.assert(
    fc.property(
      fc.array(key, { minLength: 1, maxLength: 5 }),
      fc.dictionary(key, fc.dictionary(key, fc.record({}))),
      (keys, document) => {
        const path = pointer('', ...keys);
        const result = JsonPatch.apply(JSON.parse(JSON.stringify(document)), putAt(document, path, 'new'));
        expect(valueAtPointer(result, path)).toBe('new');
        for (const other of Object.keys(document).filter((name) => name !== keys[0])) {
          expect(valueAtPointer(result, pointer('', other))).toEqual(document[other]);
        }
      },
    ),
  );
});

test('putAt keeps the siblings of a value', () =>
  expect(JsonPatch.apply({ a: { b: 1 } }, putAt({ a: { b: 1 } }, '/a/c/d', 2))).toEqual({ a: { b: 1, c: { d: 2 } } }));

test('appendAt creates a list, or appends to it', () => {
  expect(JsonPatch.apply({}, appendAt({}, '/a/list', 1))).toEqual({ a: { list: [1] } });
  expect(JsonPatch.apply({ list: [1] }, appendAt({ list: [1] }, '/list', 2))).toEqual({ list: [1, 2] });
});
