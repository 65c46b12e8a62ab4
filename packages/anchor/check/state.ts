import type { AnchorMemory } from '../memory';
import type { AnchorAction, MemberReport } from '../plan';
import type { AskedSigner } from '../trust-anchor';

/**
 * A key of an anchor: the letter of its generation, a capital letter in the cluster itself, and a small letter in the
 * other one. A belongs to both.
 */
export type Key = string;

/** A CA certificate for a key, signed by the same key, or by another key, which makes it a bridge. */
export interface Certified {
  readonly key: Key;
  readonly by: Key;
  /** The key that certified the certifying key, if that certificate is sent along. */
  readonly beyond?: Key;
}

/** The chain that accompanies each certificate of an issuer. */
export interface Chain {
  readonly signer: Key;
  /** The key that certified the signer, if there is a bridge; and the key that certified `over`, if there are two. */
  readonly over?: Key;
  readonly beyond?: Key;
}

/** The issuer's certificate. No two have the same revision. */
export interface Issued extends Chain {
  readonly revision: number;
  /** The date of issue, by cert-manager's clock. */
  readonly at: number;
}

/** Certificate and Secret of a generation. */
export interface WorldAnchor {
  readonly generation: number;
  readonly bundled: boolean;
  readonly asked: AskedSigner;
  readonly isIssuing: boolean;
  /** The operator's answer to the request, which cert-manager has not stored yet. */
  readonly answered?: Certified;
  readonly certificate?: Certified;
  readonly hasIssuer: boolean;
  readonly pathLength?: number;
}

/** The identity issuer: what its Secret holds, and how far cert-manager is with the next one. */
export interface WorldIssuer {
  readonly isIssuing: boolean;
  readonly secret?: Issued;
  /** The next issuer, which is signed and not yet in the Secret. */
  readonly signed?: Issued;
}

/** A replica of identity. */
export interface WorldIdentity {
  readonly roots: readonly Key[];
  readonly issuer: Issued;
  /** Its start, by its node's clock. */
  readonly since: number;
  /** The time at which it last reported that it loaded an issuer. */
  readonly loadedAt?: number;
}

/** All that the API server shows. Each member reaches its watchers independently of the others. */
export interface Shown {
  readonly anchors: readonly WorldAnchor[];
  readonly signer?: number | 'other';
  readonly issuer: WorldIssuer;
  readonly kept: readonly Key[];
  /** Keys of the mesh's bundle, sorted. */
  readonly bundle: readonly Key[];
  /** The bundles of running pods, each once: any number of pods may have it. */
  readonly pods: readonly (readonly Key[])[];
  /**
   * The start of the oldest pod with each bundle, where it matters when pods started: a new pod gets a new leaf, and
   * keeps none of an earlier pod.
   */
  readonly starts?: Readonly<Record<string, number>>;
  readonly identity: readonly WorldIdentity[];
}

/** A part of the world as it was up to a time. */
export interface Before {
  readonly shown: Shown;
  readonly until: number;
}

/** Leaves of one chain that may still be in use. */
export interface Leaves {
  readonly chain: Chain;
  /** The time at which the last of them was issued. */
  readonly last: number;
}

/** One write of the operator, or its message to the other cluster. */
export type WorldAction =
  | OverSeen
  | Exclude<AnchorAction, { do: 'apply-anchor' }>
  | { readonly do: 'tell'; readonly report: Report };

/** What one cluster reports to the other one. */
export interface Report extends Omit<MemberReport, 'asks' | 'answers'> {
  /** The key that it asks to have certified. */
  readonly request?: Key;
  /** The certificate for the anchor of the other cluster. */
  readonly given?: Certified;
}

/** A write to a Certificate. The API server refuses it if the operator did not see the Certificate's latest version. */
type OverSeen = Extract<AnchorAction, { do: 'apply-anchor' }> & { readonly seen?: number };

interface Pending {
  readonly actions: readonly WorldAction[];
  /** The tick at whose end the actions expire: a decision is valid no longer than the observation behind it. */
  readonly until: number;
}

/** Mishaps that may still happen. */
export type Mishap =
  | 'memory lost'
  | 'pointer reset'
  | 'pointer deleted'
  | 'label removed'
  | 'issuer deleted'
  | 'secret lost'
  | 'old secret lost'
  | 'abort'
  | 'abort withdrawn'
  | 'wrong answer'
  | 'answer reverted'
  | 'key leaked'
  | 'next key leaked'
  | 'leak withdrawn';

/** Parts with a watch each, so that each may be late independently. */
export type Watched = 'anchors' | 'signer' | 'issuer' | 'bundle' | 'pods' | 'identity';

/** The state of a world. */
export interface State extends Shown {
  readonly now: number;
  /** The world as it was at the ends of the last ticks, the latest first. */
  readonly past: readonly Shown[];
  readonly leaves: readonly Leaves[];
  readonly memory: AnchorMemory;
  readonly pending?: Pending;
  readonly mishaps: readonly Mishap[];
  /** The number of times that cert-manager may still renew the issuer unasked. */
  readonly renewals: number;
  /** The number of times that a replica of identity may still restart without the operator. */
  readonly identityRestarts: number;
  readonly abort: boolean;
  /** The certificate with which a user answered the request for a bridge. */
  readonly answer?: Certified;
  /** True where A was never a generation of this cluster, so that generation 1 has the letter B. */
  readonly isForeign?: boolean;
  /** True once the old anchor is so near its end that only restarts are in time. */
  readonly isEnding?: boolean;
  /** The last report to the other cluster, and the last one received from it. */
  readonly reported?: Report;
  readonly heard?: Report;
  /** The certificate that was made for the anchor of the other cluster. */
  readonly certification?: Certified;
  /** Keys that an attacker has, and that a user reported to the operator. */
  readonly leaked?: readonly Key[];
  /** All certificates of a key by another one that were ever made, where it matters what an attacker can present. */
  readonly vouched?: readonly Certified[];
  /** A sentence about a decision or report that the operator should not have made. */
  readonly wrong?: string;
  /** Counts lost keys, so that each new key has its own name. */
  readonly lost: number;
  /** The earlier versions of each part that the operator may still see. */
  readonly before: Partial<Readonly<Record<Watched, readonly Before[]>>>;
}
