import type { AnchorKey, Time } from './chain';

/**
 * The facts that a look needs of earlier ones. They are kept in the status of the TrustAnchor, and written before
 * anything is done. Whoever loses them loses time: each fact is observed anew, and counts from then on.
 */
export interface AnchorMemory {
  /** The generation that the mesh lives by. */
  readonly current?: {
    readonly key: AnchorKey;
    readonly generation?: number;
    /** The first end that was seen of it: with a later one, it lives by an extension. */
    readonly end?: Time;
  };
  /** The last bundles of the mesh, oldest first: what pods know that were injected with them. */
  readonly bundles: readonly RememberedBundle[];
  readonly rotation?: Rotation;
  /** The issuer that was seen last, and since when. */
  readonly issuer?: RememberedIssuer;
  /** The last `rotateNow` that was served. */
  readonly rotated?: string;
  /** The reach of the leaves that have been issued. */
  readonly leaves?: RememberedLeaves;
  /** The word by which everything before was asked to be forgotten. */
  readonly forgotten?: string;
}

/** The reach of leaves. */
export interface RememberedLeaves {
  /** The longest reach of one that may live. */
  readonly reach: number;
  /** The reach of one that is issued now. */
  readonly asked: number;
  /** The time when none is left of those that reach farther. */
  readonly until?: Time;
}

/** A bundle, by the hash with which pods carry it. */
export interface RememberedBundle {
  readonly hash: string;
  readonly keys: readonly AnchorKey[];
  readonly since: Time;
  /** The ends of its certificates: of several of one key, the latest. */
  readonly ends?: Readonly<Record<AnchorKey, Time>>;
  /** The end of its time, where those that followed it are forgotten. */
  readonly until?: Time;
}

/** The present issuer. */
export interface RememberedIssuer {
  readonly revision: number;
  readonly signer: AnchorKey;
  readonly notAfter: Time;
  /** The date of its issue, by its own word: identity has said nothing of it before. */
  readonly since: Time;
  /** The time when it was first seen to be in the Secret: whoever starts long after that starts with it. */
  readonly seen: Time;
  /** The end of the issuer before it. */
  readonly before?: Time;
  /** True if the one before it was as new as this one: what identity says without naming it may be about either. */
  readonly hasty?: boolean;
  /** True if there was another one before it that was not seen: its end may be this one's. */
  readonly missed?: boolean;
  /** Since when all of identity is known to work with it. */
  readonly takenUp?: Time;
  /** Since when identity has worked with nothing but issuers of this signer, and cannot start with any other. */
  readonly steady?: Time;
}

/** A rotation that goes on. */
export interface Rotation {
  /** The anchor that is to be replaced; absent where nobody had one. */
  readonly from?: AnchorKey;
  /** The generation that comes. */
  readonly to: number;
  /** Its key, as it was announced: with another one, everything begins anew. */
  readonly key?: AnchorKey;
  readonly began: Time;
  readonly why: string;
  /** Since when the mesh's bundle holds it. */
  readonly announced?: Time;
  /** Since when identity has been issuing with nothing but the new anchor. */
  readonly signing?: Time;
  /** Since when no pod has been seen that does not know it. */
  readonly adopted?: Time;
  /** Since when nobody has had the old anchor's key any more. */
  readonly dropped?: Time;
  /** True from the moment at which there is no way back. */
  readonly retiring?: boolean;
  /**
   * True from the moment at which other clusters go by it that the old anchor signs no more: it does not, from here on.
   */
  readonly committed?: boolean;
  /** True while the rotation is taken back. */
  readonly aborting?: boolean;
  /** True from the moment at which the new anchor is taken out of the bundle: what was taken back so far stays so. */
  readonly withdrawing?: boolean;
  /** Since when identity has been issuing with nothing but the old anchor again. */
  readonly returned?: Time;
}

/** The memory of who has seen nothing yet. */
export const NO_MEMORY: AnchorMemory = { bundles: [] };

/** Bundles that are remembered besides those that are in use: a rotation makes four. */
export const MOST_BUNDLES = 32;
