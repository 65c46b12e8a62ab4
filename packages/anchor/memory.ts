import type { AnchorKey, Time } from './chain';
import { MAX_MEMBERS } from './trust-anchor';

/**
 * The facts from earlier observations. They are kept in the status of the TrustAnchor, and written before any action.
 * Losing them costs only time: each fact is observed again, and counts from then on.
 */
export interface AnchorMemory {
  /** The generation that the mesh uses. */
  readonly current?: {
    readonly key: AnchorKey;
    readonly generation?: number;
    /** True if it was a generation whose key is lost. */
    readonly lost?: boolean;
    /** Its first observed expiry: a later one shows that it was extended. */
    readonly end?: Time;
  };
  /** The latest bundles of the mesh, oldest first: pods injected with a bundle trust its anchors. */
  readonly bundles: readonly RememberedBundle[];
  readonly rotation?: Rotation;
  /** The last observed issuer, and since when. */
  readonly issuer?: RememberedIssuer;
  /** The last `rotateNow` that was handled. */
  readonly rotated?: string;
  /** The reach of the issued leaves. */
  readonly leaves?: RememberedLeaves;
  /** The keys of this mesh that leaked. */
  readonly compromised?: RememberedLeak;
  /**
   * Which anchors certified which, as far as something in this cluster may trust them. Any holder of a key, also
   * an attacker, can present its certificates.
   */
  readonly vouched?: readonly Vouching[];
  /** The last value of the annotation that discards all earlier facts. */
  readonly forgotten?: string;
  /** How another cluster certifies the anchors of this one. That cluster relies on this cluster's report of it. */
  readonly certification?: {
    /** Since when all certificates that identity issues chain to an anchor of the other cluster. */
    readonly since?: Time;
    readonly by: readonly RememberedCertifier[];
  };
}

/** Keys that leaked, each of which was seen in this mesh. */
export interface RememberedLeak {
  readonly keys: readonly AnchorKey[];
  /** Since when the last of them has been known to have leaked. */
  readonly since: Time;
  /** The time by which nothing trusts them any more, as planned when they became known. */
  readonly until: Time;
}

/** A certificate for the key of one anchor, signed by another anchor. */
export interface Vouching {
  readonly key: AnchorKey;
  readonly by: AnchorKey;
}

/** Maximum number of remembered vouchings: for each other cluster two anchors, and a few for own rotations. */
export const MAX_VOUCHINGS = 2 * MAX_MEMBERS + 32;

/** An anchor of another cluster, to which certificates in use in this cluster chain. */
export interface RememberedCertifier {
  readonly key: AnchorKey;
  /** Since when all certificates that identity issues chain to it. */
  readonly since?: Time;
  /** The time from which no certificate in use chains to it. It certifies no anchor of this cluster again. */
  readonly until?: Time;
}

/** Maximum number of remembered certifiers: a rotation of the certifying cluster has two. */
export const MAX_CERTIFIERS = 8;

/** How far leaves reach beyond their issuance. */
export interface RememberedLeaves {
  /** The longest reach of a leaf that may be valid. */
  readonly reach: number;
  /** The reach of leaves that are issued now. */
  readonly asked: number;
  /** The time at which no leaf with a longer reach is left. */
  readonly until?: Time;
}

/** A bundle, by its hash on pods. */
export interface RememberedBundle {
  readonly hash: string;
  readonly keys: readonly AnchorKey[];
  readonly since: Time;
  /** The expiry of its certificates: the latest for each key. */
  readonly ends?: Readonly<Record<AnchorKey, Time>>;
  /** The time at which the next bundle replaced it, if that one is no longer recorded. */
  readonly until?: Time;
}

/** The current issuer. */
export interface RememberedIssuer {
  readonly revision: number;
  readonly signer: AnchorKey;
  readonly notAfter: Time;
  /** Its date of issue: identity cannot have reported it before. */
  readonly since: Time;
  /** The time at which it was first seen in the Secret: a replica that starts long after that starts with it. */
  readonly seen: Time;
  /** The expiry of the previous issuer. */
  readonly before?: Time;
  /** True if the previous issuer is about as new: an Event of identity, which names no issuer, may be about either. */
  readonly hasty?: boolean;
  /** True if an unobserved issuer came before it, which may have the same expiry. */
  readonly missed?: boolean;
  /** Since when all replicas of identity are known to use it. */
  readonly takenUp?: Time;
  /** Since when identity has used only issuers of this signer, and cannot start with any other. */
  readonly steady?: Time;
}

/** A rotation in progress. */
export interface Rotation {
  /** The anchor to replace; absent if there was none. */
  readonly from?: AnchorKey;
  /** The next generation. */
  readonly to: number;
  /** The announced key of that generation. With another key, the rotation starts over. */
  readonly key?: AnchorKey;
  readonly began: Time;
  readonly why: string;
  /** Since when the mesh's bundle has contained the new anchor. */
  readonly announced?: Time;
  /** Since when identity has issued only with the new anchor. */
  readonly signing?: Time;
  /** Since when all observed pods have trusted the new anchor. */
  readonly adopted?: Time;
  /** Since when the old anchor's key has been gone. */
  readonly dropped?: Time;
  /** The proxies that presented a certificate of the old anchor when all of these should have expired. */
  readonly oldChains?: readonly OldChain[];
  /** True once the rotation no longer waits for a bridge: all pods restart before the new anchor signs. */
  readonly unbridged?: boolean;
  /** True once the old anchor is being removed, which cannot be rolled back. */
  readonly retiring?: boolean;
  /** True once other clusters rely on this cluster no longer signing with the old anchor. */
  readonly committed?: boolean;
  /** True once the new anchor, in place of the old one, certifies the anchors of other clusters. */
  readonly certifies?: boolean;
  /** True while the rotation is rolled back. */
  readonly aborting?: boolean;
  /** True once a rollback removes the new anchor from the bundle: the rollback is final then. */
  readonly withdrawing?: boolean;
  /** Since when identity has issued only with the old anchor again. */
  readonly returned?: Time;
}

/** A proxy that presented a certificate of the old anchor. */
export interface OldChain {
  /** `namespace/name` of its pod. */
  readonly pod: string;
  /** The time from which on no clock accepts this certificate. */
  readonly until: Time;
}

/** The memory before the first observation. */
export const NO_MEMORY: AnchorMemory = { bundles: [] };

/** Maximum number of recorded proxies with certificates of the old anchor. */
export const MAX_OLD_CHAINS = 16;

/** Maximum number of recorded bundles in addition to those in use: a rotation creates four. */
export const MAX_BUNDLES = 32;
