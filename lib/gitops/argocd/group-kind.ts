import { apiGroup } from '../../kubernetes/scope';

/** A kind in its API group; the core group is empty. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** Reads `group/Kind`; the core group's kinds start with the slash. */
export function groupKind(text: string): GroupKind {
  const slash = text.indexOf('/');
  return { group: text.slice(0, slash), kind: text.slice(slash + 1) };
}

/** The `group/Kind` of an object, the form in which charts list what they render. */
export function kindOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${apiGroup(apiVersion)}/${kind}`;
}
