import type { Problem } from '../findings/problem';
import type { KubernetesObject } from '../kubernetes-object';
import { apiGroup } from '../scope';

/** A place in the construct tree. */
export interface Placed {
  readonly path: string;
  /** Number of the construct in the tree's order. */
  readonly construct: number;
}

/** An object as it is to be applied. */
export interface PlacedObject extends Placed {
  readonly object: KubernetesObject;
  /** Folder of the object if it is cluster-scoped. */
  readonly home: string;
  /**
   * The object to which rules that look at nothing else are applied in its place: it differs in what is known to be
   * right alone.
   *
   * @default - itself
   */
  readonly checkedAs?: KubernetesObject | undefined;
}

/** Certificates by `namespace/name`, with the DNS names that each is valid for; `undefined` where that is not known. */
export type CertificateNames = ReadonlyMap<string, readonly string[] | undefined>;

/** Secrets (`namespace/name`) that Certificates of an emitted issuer with a CA of its own make, with these. */
export type IssuedSecrets = ReadonlyMap<string, KubernetesObject>;

/** Facts about all objects of a cluster that rules of one of them need. */
export interface ObjectFacts {
  readonly certificates: CertificateNames;
  readonly issued: IssuedSecrets;
  /** Namespace in which trust-manager looks for Secrets. */
  readonly trustNamespace: string;
}

/** A rule for objects of some kinds (`group/Kind`), or of any. */
export interface ObjectRule<Facts = unknown> {
  readonly kinds: readonly string[] | 'any';
  readonly check: (object: KubernetesObject, facts: Facts) => readonly Problem[];
}

/** Tells whether a rule is about an object. */
export function isAbout({ kinds }: Pick<ObjectRule, 'kinds'>, { apiVersion, kind }: KubernetesObject): boolean {
  return kinds === 'any' || kinds.includes(`${apiGroup(apiVersion)}/${kind}`);
}
