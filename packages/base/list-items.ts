/** An object that may be a list of objects. */
interface ListLike {
  readonly kind?: unknown;
  readonly items?: unknown;
}

/**
 * Returns the items of a list of Kubernetes objects: `kind: List`, or that of one kind, such as `ConfigMapList`.
 * undefined for other objects. kubectl, Helm and GitOps controllers apply the items; a list has no object of its own.
 */
export function listItems({ kind, items }: ListLike): readonly unknown[] | undefined {
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : undefined;
}
