import type { LaggardPolicy } from '../trust-anchor';
import type { AnchorKey, CaCertificate, IssuerChain, Time } from './chain';
import type { AnchorMemory } from './memory';

/** The settings of a rotation, in the unit of time of the observation. */
export interface AnchorPolicy {
  readonly duration: number;
  readonly renewBefore: number;
  /** The reach of a leaf beyond its issuance: its lifetime and the clock skew that is allowed for. */
  readonly leafReach: number;
  /** By how much clocks may differ. */
  readonly skew: number;
  /** The longest that a changed ConfigMap or Secret takes to reach who mounts it. */
  readonly lag: number;
  /** The coarseness of the times that others tell. */
  readonly grain: number;
  /** The longest that cert-manager may take to issue, and identity to take up what is issued, before somebody is told. */
  readonly patience: number;
  /** The longest that the restart of one workload may take. */
  readonly restartTime: number;
  /** Workloads that restart at a time. */
  readonly parallelRestarts: number;
  readonly laggards: LaggardPolicy;
  readonly paused: boolean;
  readonly abort: boolean;
  /** Whoever asks for a rotation: another text than the last one that was served starts one. */
  readonly rotateNow?: string;
  /** Names of the clusters that share the anchor, besides this one. */
  readonly members: readonly string[];
}

/** A generation of the anchor: its Certificate, and the Secret that holds its key. */
export interface ObservedAnchor {
  readonly generation: number;
  /** True for a Secret without a Certificate: nobody here can change its label, and it leaves the bundle by its end. */
  readonly foreign?: boolean;
  /** Tells whether its Secret is to be in the bundle. */
  readonly bundled: boolean;
  /** The one that is asked to sign it: itself, a generation, or somebody that is not known here. */
  readonly askedSigner: 'self' | number | 'other';
  /** `issued`: the Secret holds what is asked for. */
  readonly state: 'issuing' | 'issued' | 'failed';
  /** The content of its Secret, as far as that is known. */
  readonly certificate?: CaCertificate;
  /** True where cert-manager would make another key with the next certificate: somebody else's choice. */
  readonly changesKey?: boolean;
  /** Tells whether the Issuer that signs with it is there. */
  readonly hasIssuer: boolean;
}

/** The identity issuer's Certificate. */
export interface ObservedIssuer {
  readonly state: 'missing' | 'issuing' | 'issued' | 'failed';
  /** The content of its Secret, as far as that is known. */
  readonly chain?: IssuerChain;
  /** Counts issuances: one more after each. */
  readonly revision?: number;
}

/** A replica of Linkerd's identity controller. */
export interface ObservedIdentity {
  readonly name: string;
  /** The start of its container. */
  readonly since: Time;
  /** The end of the issuer that it works with, by its metric; absent where that cannot be had. */
  readonly issuerEnd?: Time;
}

/** Pods of one workload that were given the same roots. */
export interface PodGroup {
  /** `namespace/Kind/name`; of a pod without a workload, `namespace/Pod/name`. */
  readonly workload: string;
  readonly pods: number;
  /** The start of the oldest of the proxies. */
  readonly since: Time;
  /** Hash of the bundle that they were injected with; absent for the control plane's own, which read it when they start. */
  readonly hash?: string;
  /** False for pods that nobody would bring back. */
  readonly restartable: boolean;
}

/** The bundle as the control plane's namespace has it. */
export interface ObservedBundle {
  readonly hash: string;
  readonly anchors: readonly CaCertificate[];
}

/** Another cluster with the same anchor, by what it told last. */
export interface ObservedMember {
  readonly name: string;
  /** Anchors that sign there, or may: this cluster's pods have to know one of each's roots. */
  readonly signing: readonly AnchorKey[];
  /** Those of them whose certificates it brings along: they belong into the bundle here. */
  readonly roots?: readonly AnchorKey[];
  /** Anchors that all pods there know. */
  readonly adopted: readonly AnchorKey[];
}

/** All that a rotation is decided by. */
export interface ObservedTrust {
  readonly policy: AnchorPolicy;
  readonly memory: AnchorMemory;
  readonly anchors: readonly ObservedAnchor[];
  /** The generation whose Secret the ClusterIssuer of identity issuers signs with; absent where there is none. */
  readonly signer?: number | 'other';
  readonly issuer: ObservedIssuer;
  readonly bundle?: ObservedBundle;
  /** Anchors that the operator itself keeps in the bundle, whatever becomes of their Secrets. */
  readonly kept: readonly AnchorKey[];
  /** Those of them of which a certificate that lives longer has been made since. */
  readonly outlived?: readonly AnchorKey[];
  readonly identity: readonly ObservedIdentity[];
  /** The times when identity last told, once for each replica, that it took an issuer up. */
  readonly issuerUpdates: readonly Time[];
  readonly pods: readonly PodGroup[];
  readonly members: readonly ObservedMember[];
  /** Names of proxies and clusters of whom nobody here sees what they know, and whose loss nobody has accepted. */
  readonly unseen?: readonly string[];
  /** False outside of the maintenance windows. */
  readonly inWindow: boolean;
  /** True where some of it may be older than `lag`. */
  readonly isLate?: boolean;
}
