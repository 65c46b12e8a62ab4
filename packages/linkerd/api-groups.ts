import { isKnownGroup as isKnownGroupBeside } from '#kubernetes/objects/api-groups';
import { type ClusterScopedKinds, isClusterScoped as isClusterScopedBeside } from '#kubernetes/objects/scope';

/** API group of the mesh's policies. */
export const POLICY_GROUP = 'policy.linkerd.io';

const GROUPS: ReadonlySet<string> = new Set([
  'config.linkerd.io',
  'linkerd.io',
  'multicluster.linkerd.io',
  POLICY_GROUP,
  'workload.linkerd.io',
]);

const CLUSTER_SCOPED: ClusterScopedKinds = { 'config.linkerd.io': ['LinkerdConfig', 'TrustAnchor'] };

/** Whether all kinds of a group are known: of Kubernetes, of `imports/` and of Linkerd. */
export function isKnownGroup(group: string): boolean {
  return isKnownGroupBeside(group, GROUPS);
}

/** Whether objects of a kind are cluster-scoped: of Kubernetes, of `imports/` and of Linkerd. */
export function isClusterScoped(type: { readonly apiVersion: string; readonly kind: string }): boolean {
  return isClusterScopedBeside(type, CLUSTER_SCOPED);
}
