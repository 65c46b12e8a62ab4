import { annotationPatch } from '#operator/src/multus/annotation-patch';

test('an object without annotations gets the map', () => {
  expect(annotationPatch(undefined, { 'a/b': '1', c: '2' })).toEqual([
    { op: 'add', path: '/metadata/annotations', value: { 'a/b': '1', c: '2' } },
  ]);
});

test('a map gets one key after the other, with the characters escaped that JSON pointers are made of', () => {
  expect(
    annotationPatch({ kept: 'x', changed: 'old', same: 'y' }, { 'linkerd.io/a~b': '1', changed: 'new', same: 'y' }),
  ).toEqual([
    { op: 'add', path: '/metadata/annotations/linkerd.io~1a~0b', value: '1' },
    { op: 'add', path: '/metadata/annotations/changed', value: 'new' },
  ]);
});

test('an empty map is a map', () => {
  expect(annotationPatch({}, { a: '1' })).toEqual([{ op: 'add', path: '/metadata/annotations/a', value: '1' }]);
});

test.each([[undefined], [{}], [{ a: '1' }]])('what is set already is not patched: %j', (current) => {
  expect(annotationPatch(current, { ...current })).toEqual([]);
});
