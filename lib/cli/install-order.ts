import type { KubernetesObject } from '../kubernetes/kubernetes-object';

/** Helm's order of kinds, as far as charts of Linkerd have them (helm.sh/helm/v3/pkg/releaseutil/kind_sorter.go). */
const KINDS = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'Ingress',
  'APIService',
];

/** Objects in the order in which Helm would install them: by kind, then by namespace and name. */
export function inInstallOrder(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects
    .map((object) => ({ object, key: sortKey(object) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ object }) => object);
}

/** Kinds that Helm does not know, webhooks and custom resources, come last. */
function sortKey({ apiVersion, kind, metadata }: KubernetesObject): string {
  const index = KINDS.indexOf(kind);
  const rank = index === -1 ? KINDS.length : index;
  return [String(rank).padStart(2, '0'), kind, apiVersion, metadata.namespace ?? '', metadata.name].join('\0');
}
