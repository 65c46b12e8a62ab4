import { type MeshedPod, slimMeshedPod, workloadOfPod } from '#operator/src/anchor/objects/meshed-pod';
import { identityPods, observePods } from '#operator/src/anchor/observe/observe-pods';

const HASH = 'a'.repeat(64);
const CREATED = '2026-11-22T10:00:00Z';
const STARTED = '2026-11-22T10:00:05Z';

interface Made {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly owner?: { readonly kind: string; readonly name: string };
  readonly containers?: readonly string[];
  readonly phase?: string;
}

function pod(made: Made): MeshedPod {
  const { name, namespace = 'shop', labels, annotations, owner, containers = ['main', 'linkerd-proxy'] } = made;
  const ownerReferences = owner && [{ apiVersion: 'apps/v1', uid: 'u', controller: true, ...owner }];
  return slimMeshedPod({
    metadata: { name, namespace, uid: name, creationTimestamp: CREATED, labels, annotations, ownerReferences },
    spec: { containers: containers.map((container) => ({ name: container })) },
    status: {
      phase: made.phase ?? 'Running',
      podIP: '10.0.0.1',
      containerStatuses: containers.map((container) => ({
        name: container,
        state: { running: { startedAt: STARTED } },
      })),
    },
  });
}

const web = (name: string, hash = HASH): MeshedPod =>
  pod({
    name,
    labels: { 'pod-template-hash': '5f6' },
    annotations: { 'linkerd.io/trust-root-sha256': hash },
    owner: { kind: 'ReplicaSet', name: 'web-5f6' },
  });

test.each([
  [{ kind: 'ReplicaSet', name: 'web-5f6' }, { 'pod-template-hash': '5f6' }, 'shop/Deployment/web'],
  [{ kind: 'ReplicaSet', name: 'web-5f6' }, { 'rollouts-pod-template-hash': '5f6' }, 'shop/Rollout/web'],
  [{ kind: 'ReplicaSet', name: 'web-5f6' }, {}, 'shop/ReplicaSet/web-5f6'],
  [{ kind: 'StatefulSet', name: 'db' }, {}, 'shop/StatefulSet/db'],
  [{ kind: 'Job', name: 'once' }, {}, 'shop/Job/once'],
  [undefined, {}, 'shop/Pod/p'],
])('a pod with owner %j and labels %j belongs to %s', (owner, labels, id) => {
  expect(workloadOfPod(pod({ name: 'p', owner, labels }))).toBe(id);
});

test('the operator groups pods of one workload with the same roots', () => {
  expect(observePods([web('a'), web('b'), web('c', 'b'.repeat(64))], 'linkerd')).toEqual([
    { workload: 'shop/Deployment/web', pods: 2, since: Date.parse(CREATED), hash: HASH, restartable: true },
    { workload: 'shop/Deployment/web', pods: 1, since: Date.parse(CREATED), hash: 'b'.repeat(64), restartable: true },
  ]);
});

test('the operator treats a bundle hash that no injector wrote as unknown', () => {
  const [group] = observePods([web('a', 'x'.repeat(9_999))], 'linkerd');
  expect(group?.hash).toBe('none');
});

test('the operator ignores finished pods and pods without a proxy', () => {
  const bare = pod({ name: 'bare', containers: ['main'] });
  expect(observePods([bare, pod({ name: 'done', phase: 'Succeeded' })], 'linkerd')).toEqual([]);
});

const component = { 'linkerd.io/control-plane-component': 'identity' };

test('the operator judges control plane pods by the start time of their proxies', () => {
  const identity = pod({
    name: 'i',
    namespace: 'linkerd',
    labels: component,
    containers: ['identity', 'linkerd-proxy'],
  });
  expect(observePods([identity], 'linkerd')).toEqual([
    { workload: 'linkerd/Pod/i', pods: 1, since: Date.parse(STARTED), restartable: false },
  ]);
  expect(identityPods([identity], 'linkerd')).toHaveLength(1);
});

test("the operator takes no tenant's pod for the control plane, whatever its labels say", () => {
  const fake = pod({ name: 'i', labels: component, containers: ['identity', 'linkerd-proxy'] });
  expect(observePods([fake], 'linkerd')).toMatchObject([{ hash: 'none' }]);
  expect(identityPods([fake], 'linkerd')).toEqual([]);
});

test('the operator ignores an owner with an invalid name, which the status cannot contain', () => {
  const ofOwner = (owner: { readonly kind: string; readonly name: string }) =>
    observePods([pod({ name: 'p', owner })], 'linkerd').map(({ workload }) => workload);
  expect(ofOwner({ kind: 'Job', name: 'x'.repeat(253) })).toEqual([`shop/Job/${'x'.repeat(253)}`]);
  expect(ofOwner({ kind: 'Job', name: 'x'.repeat(1_000_000) })).toEqual(['shop/Pod/p']);
  expect(ofOwner({ kind: 'J'.repeat(1_000_000), name: 'x' })).toEqual(['shop/Pod/p']);
});
