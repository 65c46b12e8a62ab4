import type { ClusterRole, ClusterRoleBinding, ObjectMeta, RbacSubject, Role, RoleBinding } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';

type Metadata = ObjectMeta & { readonly name: string };
type Rules = NonNullable<Role['rules']>;
type RoleKind = 'Role' | 'ClusterRole';

const API_GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${API_GROUP}/v1`;

export function role(metadata: Metadata & { readonly namespace: string }, rules: Rules): KubernetesObject {
  return { apiVersion: API_VERSION, kind: 'Role', metadata, rules } satisfies Role;
}

export function clusterRole(metadata: Metadata, rules: Rules): KubernetesObject {
  return { apiVersion: API_VERSION, kind: 'ClusterRole', metadata, rules } satisfies ClusterRole;
}

export function roleBinding(
  metadata: Metadata & { readonly namespace: string },
  [kind, name]: readonly [RoleKind, string],
  subjects: readonly RbacSubject[],
): KubernetesObject {
  const roleRef = { apiGroup: API_GROUP, kind, name };
  return { apiVersion: API_VERSION, kind: 'RoleBinding', metadata, roleRef, subjects } satisfies RoleBinding;
}

export function clusterRoleBinding(
  metadata: Metadata,
  role: string,
  subjects: readonly RbacSubject[],
): KubernetesObject {
  const roleRef = { apiGroup: API_GROUP, kind: 'ClusterRole' as const, name: role };
  return {
    apiVersion: API_VERSION,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef,
    subjects,
  } satisfies ClusterRoleBinding;
}

/** Returns the subject of a binding for a service account. */
export function account(name: string, namespace: string | undefined): RbacSubject {
  return { kind: 'ServiceAccount', name, namespace };
}
