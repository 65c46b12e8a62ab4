import { remembered } from '#base/remembered';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '#imports/kubernetes';
import { linkerdConfigRules } from '#operator/api/rbac/linkerd-config';
import { MULTUS_RULES } from '#operator/api/rbac/multus';
import { PROPAGATION_RULES } from '#operator/api/rbac/propagation';
import type { RbacRule } from '#operator/api/rbac/rule';
import { RUNTIME_RULES } from '#operator/api/rbac/runtime';
import { BRIDGE_REQUEST_RULES, certifyingRules, TRUST_ANCHOR_RULES } from '#operator/api/rbac/trust-anchor';
import type { DeepReadonly } from './deep-readonly';
import { OPERATOR } from './operator-names';

/** The namespaces for each scope of the operator's rules, in one cluster. */
export interface OperatorPlaces {
  readonly operator: string;
  readonly controlPlane: string;
  /** Namespace of the CNI plugin; absent where the operator attaches no pods through Multus. */
  readonly cni?: string;
  /** Namespace of cert-manager; absent where the operator does not rotate the trust anchor. */
  readonly certManager?: string | undefined;
  /** Namespaces of the workloads that the operator manages; absent for all. The control plane's is always included. */
  readonly workloads?: readonly string[];
}

type RbacObject = DeepReadonly<ClusterRole | ClusterRoleBinding | Role | RoleBinding>;

/**
 * Returns all permissions of the operator, by part.
 *
 * @param multus whether it attaches pods through Multus
 * @param trustAnchor whether it rotates the trust anchor
 * @param bridgeRequests whether its bridges are signed through CertificateRequests
 * @param certified the clusters whose anchors it certifies
 */
export function operatorRules(
  multus: boolean,
  trustAnchor = false,
  bridgeRequests = false,
  certified: readonly string[] = [],
): readonly RbacRule[] {
  return [
    ...RUNTIME_RULES,
    ...linkerdConfigRules(),
    ...PROPAGATION_RULES,
    ...(multus ? MULTUS_RULES : []),
    ...(trustAnchor ? TRUST_ANCHOR_RULES : []),
    ...(trustAnchor && bridgeRequests ? BRIDGE_REQUEST_RULES : []),
    ...(trustAnchor ? certifyingRules(certified) : []),
  ];
}

/** Renders Roles for the rules, one for each place, and their bindings to the operator's service account. */
export function operatorRbac(rules: readonly RbacRule[], places: OperatorPlaces): readonly RbacObject[] {
  const placed = rules.map((rule) => ({ rule, namespaces: namespacesOf(rule, places) }));
  const namespaces = new Set(placed.flatMap((one) => one.namespaces ?? []).sort());
  const subjects = [{ kind: 'ServiceAccount' as const, name: OPERATOR, namespace: places.operator }];
  const roleRef = (kind: 'ClusterRole' | 'Role') => ({ apiGroup: RBAC_GROUP, kind, name: OPERATOR });
  const rulesWhere = (isThere: (namespaces: readonly string[] | undefined) => boolean | undefined) =>
    policyRules(placed.filter((one) => isThere(one.namespaces)).map(({ rule }) => rule));
  const clusterRules = rulesWhere((where) => where === undefined);
  return [
    { apiVersion: RBAC, kind: 'ClusterRole', metadata: { name: OPERATOR }, rules: clusterRules },
    {
      apiVersion: RBAC,
      kind: 'ClusterRoleBinding',
      metadata: { name: OPERATOR },
      roleRef: roleRef('ClusterRole'),
      subjects,
    },
    ...[...namespaces].flatMap((namespace): readonly RbacObject[] => {
      const metadata = { name: OPERATOR, namespace };
      return [
        { apiVersion: RBAC, kind: 'Role', metadata, rules: rulesWhere((where) => where?.includes(namespace)) },
        { apiVersion: RBAC, kind: 'RoleBinding', metadata, roleRef: roleRef('Role'), subjects },
      ];
    }),
  ];
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const RBAC = `${RBAC_GROUP}/v1` as const;

type PolicyRule = DeepReadonly<NonNullable<Role['rules']>[number]>;

/** Permissions of several parts on the same objects become one rule. */
function policyRules(rules: readonly RbacRule[]): readonly PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { apiGroups, resources, resourceNames, verbs } = rule;
    const objects = { apiGroups, resources, ...(resourceNames === undefined ? {} : { resourceNames }) };
    const key = objectsText(rule);
    const known = merged.get(key)?.verbs ?? [];
    merged.set(key, { ...objects, verbs: [...new Set([...known, ...verbs])].sort(byUse) });
  }
  return [...merged.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rule]) => rule);
}

const objectsText = remembered(({ apiGroups, resources, resourceNames }: RbacRule) =>
  JSON.stringify([apiGroups, resources, resourceNames]),
);

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

function byUse(a: string, b: string): number {
  return VERBS.indexOf(a) - VERBS.indexOf(b);
}

/** Undefined for the whole cluster. */
function namespacesOf({ scope, perNamespace }: RbacRule, places: OperatorPlaces): readonly string[] | undefined {
  switch (scope) {
    case 'cluster':
      return perNamespace && places.workloads && [...places.workloads, places.controlPlane];
    case 'operator':
      return [places.operator];
    case 'control-plane':
      return [places.controlPlane];
    case 'cni':
      // Only Multus has rules of this scope, and requires the plugin.
      return [places.cni ?? places.operator];
    case 'cert-manager':
      // Only the trust anchor has rules of this scope, and requires cert-manager.
      return [places.certManager ?? places.operator];
  }
}
