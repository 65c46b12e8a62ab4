import type { AnchorPolicy } from '../../../operator/api/anchor/observed';

/** Milliseconds. */
export type Millis = number;

/** All that a report tells of a platform. */
export interface PlatformReport {
  /** Clusters of which the same is to be told are one group. */
  readonly groups: readonly ClusterGroup[];
}

/** Clusters and what they have in common. */
export interface ClusterGroup {
  readonly clusters: readonly string[];
  readonly report: ClusterReport;
}

/** The part of a report that what will happen follows from. */
export interface MeshFacts {
  readonly pki: PkiFacts;
  readonly schedules: readonly RestartSchedule[];
}

/** All that a report tells of one cluster. */
export interface ClusterReport extends MeshFacts {
  /** Charts and parts of Linkerd with their releases: `linkerd-viz edge-26.8.3`. */
  readonly releases: readonly string[];
  readonly waves: readonly FolderWaves[];
  /** Absent where the output was written by a library that did not record them. */
  readonly warnings?: readonly ReportedWarning[];
  readonly differences: readonly ChartDifferences[];
  readonly ignored: readonly IgnoredFields[];
  /** Files that cannot be read, with the reason. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
}

/** The part of a report that the page computes with, which it carries as JSON. */
export interface PageData {
  readonly groups: readonly { readonly clusters: readonly string[]; readonly mesh: MeshFacts }[];
}

/** The identity of the mesh and of its webhooks. */
export interface PkiFacts {
  /** In the order in which they sign each other. */
  readonly certificates: readonly CertificateFacts[];
  /** Lifetime of proxies' certificates. */
  readonly issuanceLifetime: Millis;
  readonly clockSkewAllowance: Millis;
  readonly identityReplicas: number;
  /** The one who replaces the anchor: `none` where no anchor is made here. */
  readonly rotation: 'operator' | 'manual' | 'automatic-unsafe' | 'none';
  readonly anchor?: AnchorFacts;
}

/** The part of a certificate in the mesh. */
export type CertificateRole = 'anchor' | 'identity-issuer' | 'webhook-ca' | 'serving' | 'other';

/** One certificate that cert-manager makes. */
export interface CertificateFacts {
  /** `namespace/name`, by which others refer to it. */
  readonly id: string;
  readonly role: CertificateRole;
  /** The certificate that signs it; absent for one that signs itself, or that somebody else signs. */
  readonly signedBy?: string;
  readonly duration: Millis;
  readonly renewBefore: Millis;
  /** False where cert-manager leaves its renewal to others. */
  readonly renewsItself: boolean;
  /** `ECDSA 256`. */
  readonly key: string;
}

/** The windows of the anchor, and the policy of its rotation where there is one. */
export interface AnchorFacts {
  readonly policy: AnchorPolicy;
  /** Tells whether rotations begin in maintenance windows only. */
  readonly hasWindows: boolean;
}

/** A job that restarts workloads whose certificates changed. */
export interface RestartSchedule {
  readonly name: string;
  readonly schedule: string;
  /** The longest time between two runs; absent where that is not known. */
  readonly gap?: Millis;
  readonly units: readonly RestartUnit[];
}

/** A workload, and the certificates with which it is restarted. */
interface RestartUnit {
  readonly workload: string;
  readonly certificates: readonly string[];
}

/** The objects of one folder, which is one Application of Argo CD. */
export interface FolderWaves {
  readonly folder: string;
  /** Charts that Helm inflates, with their versions: their objects are not in the output. */
  readonly charts: readonly string[];
  readonly waves: readonly Wave[];
}

/** The objects that are applied together. */
export interface Wave {
  readonly wave: number;
  /** Kinds with the number of objects, the most frequent first. */
  readonly kinds: readonly (readonly [kind: string, count: number])[];
}

/** A warning of the synthesis, acknowledged if it has a reason. */
export interface ReportedWarning {
  readonly code: string;
  /** Path of the construct, without the cluster's name. */
  readonly path: string;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
  readonly reason?: string;
}

/** The places in which a chart's objects differ from Helm's on purpose. */
export interface ChartDifferences {
  readonly chart: string;
  readonly differences: readonly { readonly place: string; readonly reason: string }[];
}

/** Fields that Argo CD leaves to somebody else. */
export interface IgnoredFields {
  readonly object: string;
  readonly fields: readonly string[];
}
