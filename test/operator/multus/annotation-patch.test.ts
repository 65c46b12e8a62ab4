import { annotationPatch } from '#operator/src/multus/annotation-patch';

test.each([[undefined], [{}], [{ a: '1' }]])(
  'the webhook does not patch annotations that do not change: %j',
  (current) => expect(annotationPatch(current, { ...current })).toEqual([]),
);
