import { isAlive, isFresh, isInjected, isServing, slimPod } from '#operator/src/propagation/objects/pod';
import { AFTER, BEFORE, HASH, pod, SINCE, VALUE } from '#test/support/operator/propagation-objects';

const INJECTION = { configHash: HASH, since: SINCE };

test.each([
  ['created before', { created: BEFORE }, false],
  ['created in the second of the change', { created: SINCE }, false],
  ['created later', { created: AFTER }, true],
  ['created before, but restarted with the configuration', { created: BEFORE, value: VALUE }, true],
  ['restarted for another configuration', { created: BEFORE, value: VALUE.replace('0', '1') }, false],
  ['restarted for an earlier start time', { created: BEFORE, value: VALUE.replace('0934', '0930') }, false],
])('whether a pod has the configuration: %s, %p -> %p', (_, parts, expected) =>
  expect(isFresh(pod('a', parts), INJECTION)).toBe(expected),
);

test.each([
  ['as a container, true', { containers: [{ name: 'app' }, { name: 'linkerd-proxy' }] }, true],
  ['as a native sidecar, true', { containers: [{ name: 'app' }], initContainers: [{ name: 'linkerd-proxy' }] }, true],
  ['only linkerd-init, false', { containers: [{ name: 'app' }], initContainers: [{ name: 'linkerd-init' }] }, false],
])('whether a pod has a proxy: %s', (_, spec, expected) => {
  const injected = { ...pod('a'), spec };
  expect(isInjected(injected)).toBe(expected);
  expect(isInjected(slimPod(injected))).toBe(expected);
});

test.each([
  ['runs', {}, true],
  ['waits for a node', { phase: 'Pending' }, true],
  ['terminates', { terminating: true }, false],
  ['has succeeded', { phase: 'Succeeded' }, false],
  ['was evicted', { phase: 'Failed' }, false],
])('whether a pod that %s is alive: %p -> %p', (_, parts, expected) => expect(isAlive(pod('a', parts))).toBe(expected));

test('the pod fields that the cache drops do not change any decision', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'u', controller: true };
  const full = pod('a', { value: VALUE, owner, labels: { app: 'db' }, ready: true });
  const { metadata, spec, status } = slimPod({
    ...full,
    metadata: { ...full.metadata, annotations: { ...full.metadata.annotations, other: 'x'.repeat(100) } },
  });
  expect(metadata).toEqual({ ...full.metadata, generation: undefined, deletionTimestamp: undefined });
  expect(spec).toEqual({ containers: [{ name: 'linkerd-proxy' }] });
  expect(isServing({ metadata, spec, status })).toBe(true);
});
