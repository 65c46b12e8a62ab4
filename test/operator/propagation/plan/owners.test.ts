import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Pod } from '#operator/src/propagation/objects/pod';
import type { ClusterView } from '#operator/src/propagation/plan/cluster-view';
import { type OwnedPods, podSorter } from '#operator/src/propagation/plan/owners';
import {
  argoRollout,
  clusterView,
  daemonSet,
  deployment,
  injector,
  namespace,
  ownerOf,
  pod,
  replicaSetOf,
  statefulSet,
} from '#test/support/operator/propagation-objects';

function ownedPods(view: ClusterView): OwnedPods {
  const sorter = podSorter(view);
  sorter.addOwners(view.replicaSets);
  sorter.add(view.pods);
  return sorter.owned;
}

function owned(pods: readonly Pod[], replicaSets: readonly KubeObject[] = []) {
  const { managed, unmanaged } = ownedPods(clusterView({ pods, replicaSets }));
  return { managed: [...managed.keys()], unmanaged: unmanaged.map(({ metadata }) => metadata.name) };
}

test.each([
  ['StatefulSet', statefulSet('w'), 'shop/StatefulSet/w'],
  ['DaemonSet', daemonSet('w'), 'shop/DaemonSet/w'],
])('a pod that a %s controls belongs to it', (_, workload, id) => {
  expect(owned([pod('a', { owner: ownerOf(workload) })])).toEqual({ managed: [id], unmanaged: [] });
});

test.each([
  ['Deployment', deployment('w'), 'shop/Deployment/w'],
  ['Rollout', argoRollout('w'), 'shop/Rollout/w'],
])('a pod of a ReplicaSet that a %s controls belongs to the latter', (_, workload, id) => {
  const replicaSet = replicaSetOf(workload);
  const pods = [pod('a', { owner: ownerOf(replicaSet) }), pod('b', { owner: ownerOf(replicaSet) })];
  expect(owned(pods, [replicaSet])).toEqual({ managed: [id], unmanaged: [] });
});

const foreign = (apiVersion: string, kind: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x', uid: 'u' },
});
const bare = { ...replicaSetOf(deployment('w')), metadata: { name: 'w-1', namespace: 'shop', uid: 'u' } };

test.each<[string, Pod, readonly KubeObject[]]>([
  ['no controller', pod('a'), []],
  ['a StatefulSet not controlling it', pod('a', { owner: { ...ownerOf(statefulSet('w')), controller: false } }), []],
  ['a Job', pod('a', { owner: ownerOf(foreign('batch/v1', 'Job')) }), []],
  ['a ReplicationController', pod('a', { owner: ownerOf(foreign('v1', 'ReplicationController')) }), []],
  ['a StatefulSet of another group', pod('a', { owner: ownerOf(foreign('apps.kruise.io/v1', 'StatefulSet')) }), []],
  ['a bare ReplicaSet', pod('a', { owner: ownerOf(bare) }), [bare]],
  ['a ReplicaSet that does not exist', pod('a', { owner: ownerOf(bare) }), []],
  [
    'a ReplicaSet of an unknown kind of owner',
    pod('a', { owner: ownerOf(replicaSetOf(foreign('example.org/v1', 'Deployment'))) }),
    [
      {
        ...replicaSetOf(foreign('example.org/v1', 'Deployment')),
        metadata: { ...replicaSetOf(foreign('example.org/v1', 'Deployment')).metadata, namespace: 'shop' },
      },
    ],
  ],
])('a pod owned by %s belongs to no workload that the operator can restart', (_, orphan, replicaSets) => {
  expect(owned([orphan], replicaSets)).toEqual({ managed: [], unmanaged: ['a'] });
});

test('the operator ignores finished pods and pods in a namespace without injection', () => {
  const owner = ownerOf(statefulSet('w'));
  const pods = [
    pod('a', { owner, terminating: true }),
    pod('b', { phase: 'Failed' }),
    pod('c', { owner, namespace: 'kube-system' }),
    pod('d', { namespace: 'kube-system' }),
  ];
  expect(owned(pods)).toEqual({ managed: [], unmanaged: [] });
});

test('only the value disabled excludes a namespace from injection', () => {
  const view = clusterView({ namespaces: [namespace('shop', 'enabled')], pods: [pod('a')] });
  expect(ownedPods(view).unmanaged).toHaveLength(1);
});

test("the injector's own pods belong to no workload, whatever their labels say", () => {
  const replicaSet = replicaSetOf(injector());
  expect(owned([pod('a', { namespace: 'linkerd', owner: ownerOf(replicaSet) })], [replicaSet])).toEqual({
    managed: [],
    unmanaged: [],
  });
});
