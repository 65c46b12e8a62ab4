import type { AnchorKey, Time } from './chain';
import type { AnchorMemory } from './memory';

/** The last milestone of a rotation that is passed. `Expired`: none goes on, and identity cannot issue. */
export type Phase =
  | 'Pending'
  | 'Expired'
  | 'Stable'
  | 'Minted'
  | 'Announced'
  | 'Bridged'
  | 'Signing'
  | 'LeavesTurned'
  | 'Adopted'
  | 'Retired'
  | 'Aborting';

/** One write, or one restart. Each may be repeated, and changes nothing then. */
export type AnchorAction =
  /** Makes the generation's Certificate what it is to be: who signs it, and whether it is in the bundle. */
  | {
      readonly do: 'apply-anchor';
      readonly generation: number;
      readonly signer: 'self' | number;
      readonly bundled: boolean;
    }
  /** Keeps these anchors, and no others, in the bundle, also where their Secrets are lost. */
  | { readonly do: 'keep-roots'; readonly keys: readonly AnchorKey[] }
  /** Makes the Issuer that signs with a generation's key. */
  | { readonly do: 'apply-issuer'; readonly generation: number }
  /** Puts a generation that somebody else made into the bundle, or takes it out. */
  | { readonly do: 'bundle'; readonly generation: number; readonly bundled: boolean }
  /** Has a generation that somebody else made keep its key from now on. */
  | { readonly do: 'keep-key'; readonly generation: number }
  /** Has a generation certified anew, with its key, so that it lives longer. */
  | { readonly do: 'renew-anchor'; readonly generation: number }
  /** Has the identity issuer signed by a generation from now on. */
  | { readonly do: 'set-signer'; readonly generation: number }
  /** Keeps the identity issuer from being signed by anybody. */
  | { readonly do: 'hold-signer' }
  /** Has cert-manager issue the identity issuer anew. */
  | { readonly do: 'renew-issuer'; readonly revision: number | undefined }
  /** Restarts identity, once for each issuer that it is to take up, or for each bundle that it is to read. */
  | { readonly do: 'restart-identity'; readonly revision: number }
  | { readonly do: 'restart-identity'; readonly bundle: string }
  /** Restarts the next of these workloads. */
  | { readonly do: 'restart-laggards'; readonly workloads: readonly string[]; readonly generation: number }
  /** Deletes a generation: Certificate, Issuer and Secret, and with it its key. */
  | { readonly do: 'delete-anchor'; readonly generation: number };

/** A milestone, as a condition of the status says it. */
export interface Milestone {
  readonly type: string;
  readonly status: boolean;
  /** CamelCase. */
  readonly reason: string;
  /** The evidence, or what is waited for. */
  readonly message: string;
  /** The time by which an open one is passed, where time is all that it takes, or all that it may. */
  readonly until?: Time;
}

/** The pods that do not know the next anchor. */
export interface Laggards {
  readonly pods: number;
  readonly workloads: readonly { readonly workload: string; readonly pods: number; readonly since: number }[];
}

/** The reason why no proxy gets a certificate any more, or soon will. */
export interface Outage {
  /** CamelCase. */
  readonly reason: 'IssuerExpired' | 'NoIdentity' | 'RootsExpired';
  readonly message: string;
}

/** The word of one cluster to those that share its anchor. */
export interface Told {
  /** Anchors that sign there, or may: pods of the others have to know one of each's roots. */
  readonly signing: readonly AnchorKey[];
  /** Anchors that all pods there know. */
  readonly adopted: readonly AnchorKey[];
}

/** The things to do now, and to tell. */
export interface AnchorPlan {
  readonly phase: Phase;
  readonly milestones: readonly Milestone[];
  readonly actions: readonly AnchorAction[];
  /** To be written before anything is done. */
  readonly memory: AnchorMemory;
  readonly laggards: Laggards;
  /** Absent where nothing speaks against it that identity issues. */
  readonly outage?: Outage;
  /** The word to other clusters, once the memory is written; absent where nothing new can be told. */
  readonly told?: Told;
  /** The time when the next rotation begins by itself; absent where that is not known. */
  readonly nextRotation?: number;
  /** The time that is left, at the end of the worst plan, until it would be too late. Negative: it is too late. */
  readonly slack?: number;
  /** The time when time alone changes the plan; absent where it does not. */
  readonly again?: number;
}
