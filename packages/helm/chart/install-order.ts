/** Helm's order of kinds (helm.sh/helm/v3/pkg/releaseutil/kind_sorter.go). Other kinds follow in alphabetical order. */
const INSTALL_ORDER = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
];

const RANK: ReadonlyMap<string, number> = new Map(INSTALL_ORDER.map((kind, index) => [kind, index]));

/** The rank of kinds that Helm's list lacks, such as webhooks and custom resources. */
export const UNKNOWN_RANK = INSTALL_ORDER.length;

/** Returns the rank of a kind in the order in which Helm installs objects. */
export function installRank(kind: string): number {
  return RANK.get(kind) ?? UNKNOWN_RANK;
}
