import { annotationPatch } from '#operator/src/multus/annotation-patch';

test.each([[undefined], [{}], [{ a: '1' }]])('what is set already is not patched: %j', (current) => {
  expect(annotationPatch(current, { ...current })).toEqual([]);
});
