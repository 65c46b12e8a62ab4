import { checkAnnotationKey } from '#lib/kubernetes/names';
import * as keys from '#lib/linkerd/annotations';

const all = Object.entries(keys);

test.each(all)('%s is a key that Kubernetes takes', (name, key) => {
  expect(checkAnnotationKey(name, key)).toEqual([]);
});

test('no key has two names', () => {
  expect(new Set(all.map(([, key]) => key)).size).toBe(all.length);
});

test('pods attach to networks by the key that Multus reads', () => {
  expect(keys.MULTUS_NETWORKS).toBe('k8s.v1.cni.cncf.io/networks');
});
