import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { canonicalObject, objectKey, fingerprintOf as ofRelease } from '#tools/conformance/canonical';

const fingerprintOf = (one: KubernetesObject) => ofRelease(one, 'edge-1');
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b' } };

test('objectKey names an object by group, kind, namespace and name', () => {
  expect(objectKey(object)).toBe('v1/ConfigMap/b/a');
  expect(objectKey({ ...object, metadata: { name: 'a' } })).toBe('v1/ConfigMap//a');
});

test('fingerprintOf ignores nulls and the order of keys', () => {
  expect(fingerprintOf({ ...object, x: null, a: { c: [{ f: 1, e: null }], b: 1 } })).toBe(
    fingerprintOf({ a: { b: 1, c: [{ f: 1 }] }, ...object }),
  );
});

test('fingerprintOf distinguishes lists by the order of their items', () => {
  expect(fingerprintOf({ ...object, x: [1, 2] })).not.toBe(fingerprintOf({ ...object, x: [2, 1] }));
});

test('canonicalObject drops annotations that tools write, and keeps others', () => {
  const annotations = { 'linkerd.io/created-by': 'x', 'checksum/config': 'y', 'helm.sh/hook-weight': '1' };
  const template = { metadata: { annotations: { ...annotations, a: 'b' } } };
  const canonical = canonicalObject({ ...object, metadata: { ...object.metadata, annotations }, spec: { template } });
  expect(canonical).toEqual({ ...object, spec: { template: { metadata: { annotations: { a: 'b' } } } } });
});

test('fingerprintOf compares the configuration of Prometheus as data', () => {
  const config = (text: string) => ({
    ...object,
    metadata: { name: 'prometheus-config' },
    data: { 'prometheus.yml': text },
  });
  expect(fingerprintOf(config("a: 'x' # why\nb: [1]\n"))).toBe(fingerprintOf(config('b:\n- 1\na: x\n')));
  expect(fingerprintOf(config('b: [1, 2]\n'))).not.toBe(fingerprintOf(config('b: [2, 1]\n')));
});

test('fingerprintOf compares the values in linkerd-config as data', () => {
  const config = (values: string) => ({ ...object, metadata: { name: 'linkerd-config' }, data: { values } });
  expect(fingerprintOf(config('a: 1\nb: "x"\n'))).toBe(fingerprintOf(config('b: x\nc: null\na: 1\n')));
  expect(fingerprintOf(config('a: 1\n'))).not.toBe(fingerprintOf(config('a: "1"\n')));
});

test('ofRelease gives equal fingerprints to objects that differ only in the names of releases', () => {
  const image = (release: string) => ({ ...object, spec: { image: `proxy:${release}`, args: [`-v=${release}`] } });
  expect(ofRelease(image('edge-2'), 'edge-2')).toBe(ofRelease(image('edge-1'), 'edge-1'));
  const chart = (version: string) => ({ ...object, metadata: { ...object.metadata, labels: { chart: version } } });
  expect(ofRelease(chart('crds-2026.2.1'), 'edge-26.2.1')).toBe(ofRelease(chart('crds-2026.1.1'), 'edge-26.1.1'));
  expect(ofRelease(image('edge-1'), 'edge-2')).not.toBe(ofRelease(image('edge-1'), 'edge-1'));
});
