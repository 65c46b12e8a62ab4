import type { AnswerFlaw } from './answers';
import type { AnchorKey, Time } from './chain';
import type { AnchorMemory, Vouching } from './memory';
import type { AskedSigner } from './trust-anchor';

/** The milestones of a rotation, in order. */
export const ROTATION_MILESTONES = [
  'Minted',
  'Announced',
  'Bridged',
  'Signing',
  'LeavesTurned',
  'Adopted',
  'Retired',
] as const;

export type RotationMilestone = (typeof ROTATION_MILESTONES)[number];

export const PHASES = ['Pending', 'Stable', 'Expired', 'Compromised', ...ROTATION_MILESTONES, 'Aborting'] as const;

/**
 * The last milestone that a rotation has reached. Without a rotation in progress, `Expired`: identity cannot issue;
 * `Compromised`: something trusts a key that leaked.
 */
export type Phase = (typeof PHASES)[number];

/** One write, or one restart. Each is idempotent. */
export type AnchorAction =
  /** Sets the generation's Certificate: its signer, and whether it is in the bundle. */
  | {
      readonly do: 'apply-anchor';
      readonly generation: number;
      readonly signer: AskedSigner;
      readonly bundled: boolean;
    }
  /** Answers the request for a bridge with these of the given certificates, by their ids, the bridge first. */
  | {
      readonly do: 'answer-request';
      readonly generation: number;
      readonly certificates: readonly string[];
      /** The anchor to which they lead. */
      readonly signer: AnchorKey;
    }
  /** Has cert-manager sign another cluster's anchor with a generation's key, for `duration` milliseconds. */
  | { readonly do: 'certify'; readonly cluster: string; readonly generation: number; readonly duration: number }
  /** Removes the request for that certificate. */
  | { readonly do: 'withdraw-certificate'; readonly cluster: string }
  /** Keeps exactly these anchors in the bundle, even if their Secrets are lost. */
  | { readonly do: 'keep-roots'; readonly keys: readonly AnchorKey[] }
  /** Creates the Issuer that signs with a generation's key. */
  | { readonly do: 'apply-issuer'; readonly generation: number }
  /** Adds a generation that the operator did not create to the bundle, or removes it. */
  | { readonly do: 'bundle'; readonly generation: number; readonly bundled: boolean }
  /** Makes a generation that the operator did not create keep its key from now on. */
  | { readonly do: 'keep-key'; readonly generation: number }
  /** Renews a generation with its key, so that it lives longer. */
  | { readonly do: 'renew-anchor'; readonly generation: number }
  /** Makes a generation sign the identity issuer from now on. */
  | { readonly do: 'set-signer'; readonly generation: number }
  /** Keeps the identity issuer from being signed. */
  | { readonly do: 'hold-signer' }
  /** Makes cert-manager reissue the identity issuer. */
  | { readonly do: 'renew-issuer'; readonly revision: number | undefined }
  /** Restarts identity, once for each issuer to load, or for each bundle to read. */
  | { readonly do: 'restart-identity'; readonly revision: number }
  | { readonly do: 'restart-identity'; readonly bundle: string }
  /** Restarts the next of these workloads. */
  | { readonly do: 'restart-laggards'; readonly workloads: readonly string[]; readonly generation: number }
  /** Deletes a generation: Certificate, Issuer and Secret, including its key. */
  | { readonly do: 'delete-anchor'; readonly generation: number };

/** A milestone, as a condition of the status. */
export interface Milestone {
  readonly type: string;
  readonly status: boolean;
  /** CamelCase. */
  readonly reason: string;
  /** The evidence, or what it waits for. */
  readonly message: string;
  /** For an open milestone: the time at which it is reached without any further event, or the deadline. */
  readonly until?: Time;
  /** True if a user has to correct something first. */
  readonly isWrong?: boolean;
  /** The flaw of a refused answer, from which `withFlaw` makes the message. */
  readonly flaw?: AnswerFlaw;
}

/** The pods that may not trust the next anchor. */
export interface Laggards {
  readonly pods: number;
  readonly workloads: readonly { readonly workload: string; readonly pods: number; readonly since: number }[];
}

/** A reason why workloads restart. Each workload restarts once for a wave. */
export interface RestartWave {
  /**
   * - `adopt`: their pods may not trust the next anchor.
   * - `turn`: their pods may have certificates of the old one.
   * - `forget`: their pods trust a key that leaked.
   */
  readonly reason: 'adopt' | 'turn' | 'forget';
  /** The anchor that pods trust, or have certificates of, after the wave. */
  readonly generation: number;
  readonly key: AnchorKey;
  /** The time from which the observed start of a pod proves that it has this anchor. */
  readonly since: Time;
  /** With `forget`: the anchors that pods have to forget. */
  readonly forgets?: readonly AnchorKey[];
}

/** Everything that trusts a leaked key, or may trust it. */
export interface Exposure {
  /** The keys that leaked. */
  readonly keys: readonly AnchorKey[];
  /** Pods, by their workloads. */
  readonly pods: number;
  readonly workloads: Laggards['workloads'];
  /** True if the bundle, or a root that the operator keeps in it, has such a key: new pods trust it. */
  readonly inBundle: boolean;
  /** Since when this has been known, and the end of the worst plan from then on. */
  readonly since: Time;
  readonly until: Time;
  /** True if nothing trusts such a key any more. */
  readonly isOver: boolean;
}

/** The reason why no proxy gets a certificate any more, or soon will not. */
export interface Outage {
  /** CamelCase. */
  readonly reason: 'IssuerExpired' | 'NoIdentity' | 'RootsExpired';
  readonly message: string;
}

/** The signature that a rotation waits for: by the old anchor's key, which is outside the cluster. */
export interface AwaitedSignature {
  /** The generation whose request needs a signature. */
  readonly generation: number;
  /** The anchor that has to sign. */
  readonly signer: AnchorKey;
  /** The time after which a rotation over the bridge would be too late, and restarts would not; absent if unknown. */
  readonly until?: Time;
  /** The expiry of the old anchor, which the bridge must not exceed; absent if unknown. */
  readonly end?: Time;
}

/** What a cluster reports to those that share its anchor. */
export interface MemberReport {
  /** Anchors that sign there, or may: pods of the other clusters must trust one root of each. */
  readonly signing: readonly AnchorKey[];
  /** Anchors that all pods there trust. */
  readonly adopted: readonly AnchorKey[];
  /** See {@link ObservedMember}. */
  readonly certifier?: AnchorKey;
  /** With `certifier`: anchors to which certificates of other clusters may chain. All clusters keep these roots. */
  readonly holds?: readonly AnchorKey[];
  readonly certifiers?: readonly AnchorKey[];
  readonly certified?: readonly AnchorKey[];
  readonly isCovered?: true;
  /** The generation whose request the other cluster should answer. */
  readonly asks?: number;
  /** The clusters that have a valid certificate. */
  readonly answers?: readonly string[];
  readonly compromised?: readonly AnchorKey[];
  readonly distrusts?: readonly AnchorKey[];
  readonly vouched?: readonly Vouching[];
}

/** The actions to take now, and what to report. */
export interface AnchorPlan {
  readonly phase: Phase;
  readonly milestones: readonly Milestone[];
  readonly actions: readonly AnchorAction[];
  /** To be written before any action. */
  readonly memory: AnchorMemory;
  readonly laggards: Laggards;
  /** The reason why workloads restart now; absent if none does. */
  readonly wave?: RestartWave;
  /** Absent if no key is known to have leaked. */
  readonly exposure?: Exposure;
  /** Absent if the rotation waits for no signature. */
  readonly awaitedSignature?: AwaitedSignature;
  /** Absent if there is no sign that identity cannot issue. */
  readonly outage?: Outage;
  /** The report to other clusters, once the memory is written; absent if there is nothing new to report. */
  readonly report?: MemberReport;
  /** The time at which the next rotation is due; absent if unknown. */
  readonly nextRotation?: number;
  /** The time that is left at the end of the worst plan. Negative if it ends too late. */
  readonly slack?: number;
  /** The time at which the plan changes without a new observation; absent if there is none. */
  readonly again?: number;
}
