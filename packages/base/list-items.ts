/** An object that may be a list of objects. */
interface ListLike {
  readonly kind?: unknown;
  readonly items?: unknown;
}

/**
 * Returns the items of a list of Kubernetes objects (`kind: List`, or e.g. `ConfigMapList`); undefined for other
 * objects. kubectl, Helm and GitOps controllers apply the items of a list, and no object for the list itself.
 */
export function listItems({ kind, items }: ListLike): readonly unknown[] | undefined {
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : undefined;
}
