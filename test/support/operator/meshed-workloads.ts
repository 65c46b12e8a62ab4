import type { Cluster } from '../cluster/cluster';
import { type KubeObject, ref } from '../cluster/objects';

/** The name of all workloads. */
const WORKLOAD = 'web';

/** API versions of the kinds of workloads that the operator restarts. */
const API_VERSIONS = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Rollout: 'argoproj.io/v1alpha1',
} as const;
export type WorkloadKind = keyof typeof API_VERSIONS;

/** The workload of a kind in a namespace. */
export const workloadRef = (kind: WorkloadKind, namespace: string) =>
  ref(API_VERSIONS[kind], kind, WORKLOAD, namespace);

/** A template of pods with a proxy, whose label requests restarts for a new configuration. */
export function meshedTemplate(app: string) {
  const labels = { app, 'config.linkerd.io/reconcile': 'auto' };
  const containers = [
    { name: 'web', image: 'web' },
    { name: 'linkerd-proxy', image: 'proxy' },
  ];
  return { metadata: { labels }, spec: { containers } };
}

/** The selector and the template of a workload. */
function meshedPods(app: string) {
  return { selector: { matchLabels: { app } }, template: meshedTemplate(app) };
}

/** A Deployment whose pods the operator restarts for a new configuration. */
export function meshedDeployment(name: string, namespace: string): KubeObject {
  return { ...ref('apps/v1', 'Deployment', name, namespace), spec: meshedPods(name) };
}

/** Applies one workload of each kind, and waits until they have rolled out. */
export async function applyWorkloads(cluster: Cluster, namespace: string): Promise<void> {
  await cluster.apply(ROLLOUTS);
  const [deployment, statefulSet, daemonSet] = (['Deployment', 'StatefulSet', 'DaemonSet'] as const).map((kind) => ({
    ...workloadRef(kind, namespace),
    spec: { ...meshedPods(kind.toLowerCase()), ...(kind === 'StatefulSet' && { serviceName: WORKLOAD }) },
  }));
  const workloads = await cluster.applyAll([deployment, statefulSet, daemonSet] as KubeObject[]);
  const rollout = await cluster.apply({ ...workloadRef('Rollout', namespace), spec: meshedPods('rollout') });
  await cluster.apply(replicaSetOf(rollout));
  for (const workload of workloads) await cluster.rolledOut(workload);
}

/** The ReplicaSet that Argo Rollouts creates for a Rollout. */
function replicaSetOf({ apiVersion, kind, metadata, spec }: KubeObject): KubeObject {
  const { name = '', uid = '', namespace } = metadata;
  const { labels } = spec.template.metadata;
  const ownerReferences = [{ apiVersion, kind, name, uid, controller: true }];
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: `${name}-rollout`, namespace, labels, ownerReferences },
    spec,
  };
}

/** Simulates Argo Rollouts: writes into each Rollout's status that its restart is complete. */
export async function finishRollouts(cluster: Cluster): Promise<void> {
  for (const rollout of await cluster.list(API_VERSIONS.Rollout, 'Rollout')) {
    const { spec, status } = rollout;
    if (status?.restartedAt === spec.restartAt && status?.phase === 'Healthy') continue;
    const healthy = { phase: 'Healthy', restartedAt: spec.restartAt };
    await cluster.patch(rollout, { status: healthy }, { subresource: 'status' });
  }
}

/** Argo Rollouts' CustomResourceDefinition, with a schema that allows all fields. */
const ROLLOUTS: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'rollouts.argoproj.io' },
  spec: {
    group: 'argoproj.io',
    scope: 'Namespaced',
    names: { kind: 'Rollout', listKind: 'RolloutList', plural: 'rollouts', singular: 'rollout' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
