/**
 * The scope of a rule: the whole cluster, or the namespace of the control plane, of the CNI plugin, of cert-manager or
 * of the operator itself.
 */
export type RbacScope = 'cluster' | 'control-plane' | 'cni' | 'cert-manager' | 'operator';

/** A verb of a permission. There is no wildcard, on purpose. */
type RbacVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

/** A permission of the operator, with the reason for it. */
export interface RbacRule {
  readonly scope: RbacScope;
  /**
   * True for a rule for the whole cluster that concerns workloads: where the operator is bound to namespaces, it holds
   * only in those and the control plane's.
   */
  readonly perNamespace?: true;
  /** API groups of the resources; the core group is empty. */
  readonly apiGroups: readonly string[];
  /** Plural names, as in URLs; a subresource follows a slash. */
  readonly resources: readonly string[];
  /**
   * Names that the rule is limited to. Goes with `create` only for what server-side apply makes: other requests that create
   * name nothing. `list` and `watch` are permitted if they select one of the names by `metadata.name`.
   */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly RbacVerb[];
  /** The reason for the permission, for the documentation. */
  readonly why: string;
}
