import { checkAnnotationKey } from '#kubernetes/names';
import * as keys from '#linkerd/annotations';

const all = Object.entries(keys);

test.each(all)('Kubernetes accepts the annotation key of the constant %s', (name, key) =>
  expect(checkAnnotationKey(name, key)).toEqual([]),
);

test('each annotation key has one name in the code', () => {
  expect(new Set(all.map(([, key]) => key)).size).toBe(all.length);
});
