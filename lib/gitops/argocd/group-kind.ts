import { apiGroup } from '#kubernetes/objects/scope';

/** A kind in its API group; the core group is empty. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** Parses `group/Kind`; kinds of the core group start with the slash. */
export function groupKind(text: string): GroupKind {
  const slash = text.indexOf('/');
  return { group: text.slice(0, slash), kind: text.slice(slash + 1) };
}

/** Returns the `group/Kind` of an object, the form in which charts list the kinds that they render. */
export function kindOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${apiGroup(apiVersion)}/${kind}`;
}
