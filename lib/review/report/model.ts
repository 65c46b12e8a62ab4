import type { AnchorPolicy } from '#anchor/observed';

/** Milliseconds. */
export type Millis = number;

/** The contents of a platform's report. */
export interface PlatformReport {
  /** Clusters with equal reports form a group. */
  readonly groups: readonly ClusterGroup[];
  /** The ring of each cluster that has one. */
  readonly rings?: readonly (readonly [cluster: string, ring: string])[];
}

/** Clusters, and their common report. */
export interface ClusterGroup {
  readonly clusters: readonly string[];
  readonly report: ClusterReport;
}

/** The parts of a report that determine the simulation. */
export interface MeshFacts {
  readonly pki: PkiFacts;
  readonly schedules: readonly RestartSchedule[];
}

/** The report of one cluster. */
export interface ClusterReport extends MeshFacts {
  /** Charts and parts of Linkerd with their releases: `linkerd-viz edge-26.8.3`. */
  readonly releases: readonly string[];
  readonly waves: readonly ApplicationWaves[];
  /** Absent if an older version of the library, which did not record warnings, wrote the output. */
  readonly warnings?: readonly ReportedWarning[];
  readonly differences: readonly ChartDifferences[];
  readonly ignored: readonly IgnoredFields[];
  /** Files that cannot be read, with the reason. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
}

/** The input of the page's computations, which the page contains as JSON. */
export interface PageData {
  readonly groups: readonly { readonly clusters: readonly string[]; readonly mesh: MeshFacts }[];
}

/** The PKI of the mesh and of its webhooks. */
export interface PkiFacts {
  /** Signers come before the certificates that they sign. */
  readonly certificates: readonly CertificateFacts[];
  /** Lifetime of proxies' certificates. */
  readonly issuanceLifetime: Millis;
  readonly clockSkewAllowance: Millis;
  readonly identityReplicas: number;
  /** How the trust anchor is rotated; `none` if the output does not issue it. */
  readonly rotation: 'operator' | 'manual' | 'automatic-unsafe' | 'none';
  readonly anchor?: AnchorFacts;
}

/** The role of a certificate in the mesh. */
export type CertificateRole = 'anchor' | 'identity-issuer' | 'webhook-ca' | 'serving' | 'other';

/** One certificate of cert-manager. */
export interface CertificateFacts {
  /** `namespace/name`, with which other certificates refer to it. */
  readonly id: string;
  readonly role: CertificateRole;
  /** The certificate that signs it; absent for self-signed and externally signed certificates. */
  readonly signedBy?: string;
  readonly duration: Millis;
  readonly renewBefore: Millis;
  /** False if cert-manager does not renew it. */
  readonly renewsItself: boolean;
  /** Algorithm and size: `ECDSA 256`. */
  readonly key: string;
}

/** The rotation policy of the trust anchor. */
export interface AnchorFacts {
  readonly policy: AnchorPolicy;
  /** Rotations begin only in maintenance windows. */
  readonly hasWindows: boolean;
}

/** A job that restarts workloads with changed certificates. */
export interface RestartSchedule {
  readonly name: string;
  readonly schedule: string;
  /** The longest time between two runs; absent if unknown. */
  readonly gap?: Millis;
  readonly units: readonly RestartUnit[];
}

interface RestartUnit {
  readonly workload: string;
  readonly certificates: readonly string[];
}

/** The objects of one folder, which is one Argo CD Application. */
export interface ApplicationWaves {
  readonly folder: string;
  /** Charts that Helm inflates, with their versions: their objects are not in the output. */
  readonly charts: readonly string[];
  readonly waves: readonly Wave[];
}

/** The objects of one sync wave. */
export interface Wave {
  readonly wave: number;
  /** Kinds with their number of objects, the most frequent first. */
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

/** The intended differences of a chart's objects from Helm's. */
export interface ChartDifferences {
  readonly chart: string;
  readonly differences: readonly { readonly place: string; readonly reason: string }[];
}

/** Fields that Argo CD ignores. */
export interface IgnoredFields {
  readonly object: string;
  readonly fields: readonly string[];
}
