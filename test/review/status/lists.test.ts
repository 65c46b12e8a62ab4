import { LISTS, observedApplication, observedApplicationSet } from '../../../lib/review/status/lists';

const pod = (changes: { metadata?: object; spec?: object; status?: object } = {}) => ({
  metadata: {
    namespace: 'shop',
    name: 'web-6c8b4f-x',
    creationTimestamp: '2026-11-26T11:00:00Z',
    labels: { 'pod-template-hash': '6c8b4f' },
    annotations: { 'linkerd.io/proxy-version': 'edge-26.8.3', 'linkerd.io/trust-root-sha256': 'abc' },
    ownerReferences: [{ kind: 'ReplicaSet', name: 'web-6c8b4f', controller: true }],
    ...changes.metadata,
  },
  spec: {
    containers: [{ name: 'app' }, { name: 'linkerd-proxy', image: 'cr.l5d.io/linkerd/proxy:edge-26.7.1' }],
    ...changes.spec,
  },
  status: {
    phase: 'Running',
    containerStatuses: [{ name: 'linkerd-proxy', ready: true }],
    ...changes.status,
  },
});

const observedPod = (object: unknown) => LISTS.pods.observe(object, 'Pod');

test('of a pod, its workload and its proxy are kept', () => {
  expect(observedPod(pod())).toEqual({
    namespace: 'shop',
    name: 'web-6c8b4f-x',
    workload: 'Deployment/web',
    created: Date.parse('2026-11-26T11:00:00Z'),
    isOver: false,
    isHostNetwork: false,
    proxy: { release: 'edge-26.8.3', roots: 'abc', isReady: true },
  });
});

test.each([
  ['of a StatefulSet', { ownerReferences: [{ kind: 'StatefulSet', name: 'db', controller: true }] }, 'StatefulSet/db'],
  ['without a controller', { ownerReferences: [{ kind: 'Node', name: 'a' }] }, 'Pod/web-6c8b4f-x'],
  [
    'of a ReplicaSet of its own',
    { ownerReferences: [{ kind: 'ReplicaSet', name: 'bare', controller: true }] },
    'ReplicaSet/bare',
  ],
])('the workload of a pod %s is known', (_of, metadata, expected) => {
  expect(observedPod(pod({ metadata }))?.workload).toBe(expected);
});

test('a native sidecar is an init container, and without an annotation the tag of the image is the release', () => {
  const spec = {
    containers: [],
    initContainers: [{ name: 'linkerd-proxy', image: 'localhost:5000/proxy:stable-2.14.10@sha256:0' }],
  };
  const status = { containerStatuses: [], initContainerStatuses: [{ name: 'linkerd-proxy', ready: false }] };
  expect(observedPod(pod({ metadata: { annotations: {} }, spec, status }))?.proxy).toEqual({
    release: 'stable-2.14.10',
    isReady: false,
  });
});

test.each([
  undefined,
  null,
  5,
  'text',
  [],
  {},
  { metadata: null, spec: [], status: 'x' },
  { metadata: { annotations: [] } },
])('anything may come for an object: %j', (object) => {
  for (const { observe } of Object.values(LISTS)) expect(() => observe(object, 'Deployment')).not.toThrow();
  expect(() => observedApplication(object)).not.toThrow();
  expect(() => observedApplicationSet(object)).not.toThrow();
});

test('texts of others are on one line, short, without commands for terminals and without secrets', () => {
  const key = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', '-----END PRIVATE KEY-----'].join(
    '\n',
  );
  const message = `a\nb\u001b[31m\u202e ${key} ${'long '.repeat(1000)}`;
  const { failure } = observedApplication({ status: { operationState: { phase: 'Failed', message } } });
  expect(failure?.message).toMatch(/^a b\\u001b\[31m\\u202e /);
  expect(failure?.message).not.toMatch(/MIIE|\p{Cc}|\u202e/u);
  expect(failure?.message.length).toBeLessThan(400);
});

test('of an Application, only the objects that are out of sync or unhealthy are kept', () => {
  const resources = [
    { kind: 'Deployment', namespace: 'linkerd', name: 'a', status: 'Synced', health: { status: 'Healthy' } },
    { kind: 'Deployment', namespace: 'linkerd', name: 'b', status: 'OutOfSync' },
    { kind: 'Namespace', name: 'c', status: 'Synced', health: { status: 'Degraded' } },
    { kind: 'CronJob', namespace: 'linkerd', name: 'd', status: 'Synced', health: { status: 'Suspended' } },
  ];
  expect(observedApplication({ status: { resources } }).resources).toEqual(['Deployment linkerd/b', 'Namespace c']);
});

const rollout = (status: object) => ({
  metadata: { namespace: 'linkerd', name: 'a', generation: 2 },
  spec: {
    replicas: 3,
    template: { spec: { containers: [{ name: 'destination', image: 'cr.l5d.io/controller@sha256:dead' }] } },
  },
  status,
});

test.each([
  ['Deployment', { observedGeneration: 2, readyReplicas: 3, updatedReplicas: 1 }, 1],
  ['Deployment', { observedGeneration: 1, readyReplicas: 3, updatedReplicas: 3 }, 0],
  ['DaemonSet', { observedGeneration: 2, numberReady: 3, updatedNumberScheduled: 2 }, 2],
])('of a %s with the status %j, %d pods count', (kind, status, ready) => {
  expect(LISTS.workloads.observe(rollout(status), kind)).toMatchObject({ ready, images: {} });
});

test.each([
  ['Synced', 'b', false],
  ['Synced', 'a', true],
  ['OutOfSync', 'b', true],
])('where an Application is %s, a failed sync of the revision %s counts: %p', (status, revision, counts) => {
  const sync = { status, revision: 'a' };
  const operationState = { phase: 'Failed', message: 'no', syncResult: { revision } };
  expect(observedApplication({ status: { sync, operationState } }).failure !== undefined).toBe(counts);
});

test('conditions of an Application about objects that it does not have are left out', () => {
  const conditions = ['SharedResourceWarning', 'OrphanedResourceWarning', 'SyncError'].map((type) => ({ type }));
  const { errors, warnings } = observedApplication({ status: { conditions } });
  expect([errors, warnings].map((list) => list.map(({ type }) => type))).toEqual([
    ['SyncError'],
    ['SharedResourceWarning'],
  ]);
});

test.each([
  ['ErrorOccurred', 'True', true],
  ['ErrorOccurred', 'False', false],
  ['ResourcesUpToDate', 'True', false],
])('an ApplicationSet with the condition %s=%s has failed: %p', (type, status, hasFailed) => {
  const object = { metadata: { name: 'a' }, status: { conditions: [{ type, status, message: 'no' }] } };
  expect(observedApplicationSet(object).error !== undefined).toBe(hasFailed);
});
