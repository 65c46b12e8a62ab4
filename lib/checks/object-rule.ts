import type { Problem } from '#base/findings/problem';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';

/** A place in the construct tree. */
export interface Placed {
  readonly path: string;
  /** Number of the construct in tree order. */
  readonly construct: number;
}

/** An object in its final form. */
export interface PlacedObject extends Placed {
  readonly object: KubernetesObject;
  /** Folder of the object if it is cluster-scoped. */
  readonly home: string;
  /**
   * The object to which rules for single objects are applied instead: it differs only in parts that are known to be
   * valid.
   *
   * @default - itself
   */
  readonly checkedAs?: KubernetesObject | undefined;
}

/** Certificates by `namespace/name`, with the DNS names for which each is valid; `undefined` if these are unknown. */
export type CertificateNames = ReadonlyMap<string, readonly string[] | undefined>;

/** Certificates that an issuer in the output signs with its own CA, by their Secrets (`namespace/name`). */
export type IssuedSecrets = ReadonlyMap<string, KubernetesObject>;

/** Facts about all objects of a cluster, for rules of single objects. */
export interface ObjectFacts {
  readonly certificates: CertificateNames;
  readonly issued: IssuedSecrets;
  /** Namespace in which trust-manager looks for Secrets. */
  readonly trustNamespace: string;
}

/** A rule for objects of some kinds (`group/Kind`), or of all kinds. */
export interface ObjectRule<Facts = unknown> {
  readonly kinds: readonly string[] | 'any';
  readonly check: (object: KubernetesObject, facts: Facts) => readonly Problem[];
}

/** Whether a rule applies to an object. */
export function isAbout({ kinds }: Pick<ObjectRule, 'kinds'>, { apiVersion, kind }: KubernetesObject): boolean {
  return kinds === 'any' || kinds.includes(`${apiGroup(apiVersion)}/${kind}`);
}
