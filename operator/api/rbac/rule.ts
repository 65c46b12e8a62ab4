/**
 * The scope of a rule: the whole cluster, or the namespace of the control plane, of the CNI plugin, of cert-manager or
 * of the operator itself.
 */
export type RbacScope = 'cluster' | 'control-plane' | 'cni' | 'cert-manager' | 'operator';

/** Wildcards are excluded on purpose. */
type RbacVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

/** A permission of the operator, with the reason for it. */
export interface RbacRule {
  readonly scope: RbacScope;
  /**
   * True for a cluster-wide rule about workloads: if the operator is restricted to namespaces, it applies only in those
   * and the control plane's.
   */
  readonly perNamespace?: true;
  /** API groups of the resources; the core group is empty. */
  readonly apiGroups: readonly string[];
  /** Plural names, as in URLs; a subresource follows a slash. */
  readonly resources: readonly string[];
  /**
   * Names to which the rule is limited. With `create`, only for server-side apply: other create requests have no name.
   * `list` and `watch` are allowed if they select one of the names by `metadata.name`.
   */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly RbacVerb[];
  /** The reason for the permission, for the documentation. */
  readonly why: string;
}

/** Returns a permission in the form that a Role has. */
export function policyRule({
  apiGroups,
  resources,
  resourceNames,
  verbs,
}: Pick<RbacRule, 'apiGroups' | 'resources' | 'resourceNames' | 'verbs'>) {
  return {
    apiGroups: [...apiGroups],
    resources: [...resources],
    ...(resourceNames !== undefined && { resourceNames: [...resourceNames] }),
    verbs: [...verbs],
  };
}
