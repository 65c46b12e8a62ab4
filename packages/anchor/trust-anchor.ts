import type { Condition } from '#base/conditions';

/** The only allowed name of a TrustAnchor: a cluster has one mesh. */
export const TRUST_ANCHOR_NAME = 'linkerd';

/**
 * Name of the first anchor's Certificate and Secret, created without the operator; and prefix of the names of all
 * others.
 */
export const ANCHOR = 'linkerd-trust-anchor';

/** Name of the Issuer in cert-manager's namespace for self-signed anchors. */
export const SELF_SIGNED_ISSUER = 'linkerd-trust-root-issuer';

/** Name of the ClusterIssuer that signs identity issuers, and of the identity issuer's Certificate and Secret. */
export const IDENTITY_ISSUER = 'linkerd-identity-issuer';

/** Name of the Bundle, and of the ConfigMap that it writes into the control plane's namespace. */
export const TRUST_ROOTS = 'linkerd-identity-trust-roots';

/**
 * Marks the Secrets in cert-manager's namespace whose certificates proxies trust; the value is one of the roles
 * current, signing and previous.
 *
 * Because Secrets are selected by label, they may be added, removed and renamed without the trust bundle ever lacking a
 * source: a Bundle with a missing named source is no longer updated.
 */
export const TRUST_ANCHOR_LABEL = 'cdk8s-linkerd/trust-anchor';

/** Label of the operator's objects: the number of the anchor's generation. */
export const GENERATION_LABEL = 'config.linkerd.io/generation';

/** Annotation of a TrustAnchor that starts a rotation when its value changes, like `spec.rotateNow`. */
export const ROTATE_NOW_ANNOTATION = 'config.linkerd.io/rotate-now';

/**
 * Annotation of a TrustAnchor with keys of anchors that leaked, separated by commas, in addition to
 * `spec.compromised`.
 */
export const COMPROMISED_ANNOTATION = 'config.linkerd.io/compromised';

/** Maximum number of keys that leaked. */
export const MAX_COMPROMISED = 8;

/** The key of an anchor, as the status of a TrustAnchor shows it. */
export const ANCHOR_KEY_PATTERN = '^[0-9a-f]{64}$';

/**
 * Annotation of a TrustAnchor that makes the operator discard the memory in its status, once for each value: it
 * observes everything again, and waits start over.
 */
export const FORGET_ANNOTATION = 'config.linkerd.io/forget-memory';

/** Label of ConfigMaps in cert-manager's namespace with the reports of other clusters. */
export const MEMBER_LABEL = 'config.linkerd.io/trust-anchor-member';

/** ConfigMap of cert-manager's namespace with the operator's report for other clusters. */
export const MEMBER_CONFIG_MAP = 'linkerd-trust-anchor-member';

/** Returns the name of the copy of another cluster's report, in cert-manager's namespace. */
export function memberCopyName(cluster: string): string {
  return `${MEMBER_CONFIG_MAP}-${cluster}`;
}

/** ConfigMap of cert-manager's namespace that keeps anchors with lost Secrets in the bundle. */
export const KEPT_ROOTS = 'linkerd-trust-anchors';

/** Key of {@link TRUST_ROOTS}, as Linkerd's charts mount it, and of the Bundle's PEM sources in ConfigMaps. */
export const TRUST_ROOTS_KEY = 'ca-bundle.crt';

/** ConfigMap of cert-manager's namespace with the answer to the request for a bridge. */
export const BRIDGE_CONFIG_MAP = 'linkerd-trust-anchor-bridge';

/** Key of {@link BRIDGE_CONFIG_MAP}: PEM of the bridge, and of the CA certificates between it and the old anchor. */
export const BRIDGE_KEY = 'tls.crt';

/**
 * Number of anchor names after the first one. At most three anchors exist at a time; generations reuse the names in
 * turn, so that permissions can list all of them.
 */
export const NAMED_GENERATIONS = 8;

/** Returns the name that all objects of a generation of the anchor have. Generations reuse the names in turn. */
export function anchorName(generation: number): string {
  return generation === 0 ? ANCHOR : `${ANCHOR}-${((generation - 1) % NAMED_GENERATIONS) + 1}`;
}

/**
 * The longest common name of anchors that leaves room for the number of a generation and a dot within the 64 characters
 * of X.509 (RFC 5280, ub-common-name). At one generation a day, four digits last 27 years.
 */
export const MAX_COMMON_NAME_LENGTH = 59;

/** Maximum number of namespaces whose pods are not waited for. */
export const MAX_IGNORED_NAMESPACES = 64;

/** Maximum number of other clusters that share an anchor. */
export const MAX_MEMBERS = 128;

/** Returns the possible names of anchors, including the first one's. */
export function anchorNames(): readonly string[] {
  return Array.from({ length: NAMED_GENERATIONS + 1 }, (_, generation) => anchorName(generation));
}

/**
 * - `Report`: list pods that trust only the old anchor, and restart them when the remaining time is what the worst plan
 *   takes.
 * - `Restart`: restart them as soon as new pods get the new anchor, of this cluster or of a linked one.
 * - `Never`: list them, and raise an alert.
 */
export type LaggardPolicy = 'Report' | 'Restart' | 'Never';

/**
 * - `Gate`: ask proxies for their certificates, report those that others refuse, and retire no anchor still in use.
 * - `Report`: only report.
 */
export type ProbePolicy = 'Gate' | 'Report';

/**
 * Who signs the bridge: the certificate for the next anchor's key, signed by the present anchor.
 *
 * - `Key`: the present anchor's key in the cluster. Without it, there is no bridge, and all pods restart.
 * - `Request`: as `Key`; if the key is outside the cluster, a user who has it signs a certificate signing request.
 * - `Member`: another cluster certifies each anchor of this one, also without a rotation. The present anchor's key
 *   still signs the bridge if it is in the cluster.
 */
export type AnchorBridgeSigner = 'Key' | 'Request' | 'Member';

/** What signs the bridge of a rotation: the present anchor's key in the cluster, or an external signer of a request. */
export type BridgeSigner = 'key' | 'request';

/** Who signs a generation: itself, another generation, or the old anchor's key outside the cluster. */
export type AskedSigner = 'self' | number | Exclude<BridgeSigner, 'key'>;

/**
 * What to do when the old anchor has not signed the bridge, and only restarts would still be in time.
 *
 * - `Restart`: do without the bridge, and restart all pods.
 * - `Wait`: go on waiting, and raise an alert.
 */
export type UnsignedBridgePolicy = 'Restart' | 'Wait';

/** How the bridge to the next anchor is signed. */
export interface AnchorBridge {
  readonly signedBy: AnchorBridgeSigner;
  readonly ifUnsigned: UnsignedBridgePolicy;
  /** With `Request`: the signed certificate, PEM. It may also be in the ConfigMap {@link BRIDGE_CONFIG_MAP}. */
  readonly certificate?: string;
  /** With `Member`: the cluster that certifies; one of the members. */
  readonly member?: string;
  /** With `Member`: this cluster's trust domain, to which the certificate must be constrained. */
  readonly trustDomain?: string;
}

/** Another cluster whose anchors this one certifies. */
export interface CertifiedCluster {
  /** One of the members. */
  readonly cluster: string;
  /** The trust domain to which its certificate has to be constrained; absent for no constraint. */
  readonly trustDomain?: string;
}

/** Returns the name of the CertificateRequest in cert-manager's namespace for the anchor of another cluster. */
export function certificationName(cluster: string): string {
  return `${ANCHOR}-for-${cluster}`;
}

/** The defaults of {@link AnchorBridge}. */
export const BRIDGE_DEFAULTS = { signedBy: 'Key', ifUnsigned: 'Restart' } as const satisfies AnchorBridge;

/** Maximum number of characters of a given bridge: a chain of three certificates of RSA 4096 has some 6,000. */
export const MAX_BRIDGE_LENGTH = 16_384;

/** A weekly time window, in UTC. */
export interface MaintenanceWindow {
  /** Days on which it opens; every day if empty. */
  readonly days?: readonly Weekday[];
  /** Time at which it opens: `02:00`. */
  readonly start: string;
  /** Go duration: `4h`. */
  readonly duration: string;
}

/** The days of the week, from Monday. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** A day of the week. */
export type Weekday = (typeof WEEKDAYS)[number];

/** The spec of a TrustAnchor, after the API server has filled in the defaults. Durations are Go's: `87600h`. */
export interface TrustAnchorSpec {
  readonly controlPlaneNamespace: string;
  readonly certManagerNamespace: string;
  /** Common name of anchors, prefixed with the number of the generation. */
  readonly commonName: string;
  readonly duration: string;
  /** The time before an anchor's expiry at which its rotation starts; it starts earlier if a user has to sign. */
  readonly renewBefore: string;
  readonly privateKey: { readonly algorithm: 'ECDSA' | 'RSA'; readonly size: number };
  /** Lifetime of proxies' certificates, as in the control plane. */
  readonly issuanceLifetime: string;
  readonly clockSkewAllowance: string;
  /** The longest time until a changed ConfigMap or Secret reaches the pods that mount it. */
  readonly propagationDelay: string;
  readonly laggards: {
    readonly policy: LaggardPolicy;
    readonly maxUnavailableWorkloads: number;
    readonly progressDeadlineSeconds: number;
    /** Namespaces whose pods are neither waited for nor restarted, except to forget a key that leaked. */
    readonly ignoredNamespaces?: readonly string[];
  };
  /** How the bridge to the next anchor is signed. Absent: by the key in the cluster. */
  readonly bridge?: AnchorBridge;
  /** Rotations start, and laggards restart, only in these, unless time is short. Empty: at any time. */
  readonly windows?: readonly MaintenanceWindow[];
  /** Rotations, and restarts of workloads, wait while this is true. */
  readonly paused: boolean;
  /** True to roll back the current rotation, and to start no other. */
  readonly abort: boolean;
  /** A new value starts a rotation. */
  readonly rotateNow?: string;
  /** Keys of anchors that leaked, as in `status.anchors`: the operator replaces these anchors, and pods forget them. */
  readonly compromised?: readonly string[];
  /** True to retire anchors even if proxies outside the cluster may trust no other anchor. */
  readonly acceptUnseenProxies: boolean;
  /** Whether to ask proxies for their certificates. */
  readonly probes: ProbePolicy;
  /** Name of this cluster among those that share its anchor. */
  readonly cluster?: string;
  /**
   * Names of the other clusters that share the anchor: no anchor is retired before all of them have adopted the next
   * one.
   */
  readonly members?: readonly string[];
  /** The members whose anchors this cluster certifies with its own, when they ask. */
  readonly certifies?: readonly CertifiedCluster[];
}

/** The defaults of {@link TrustAnchorSpec}. */
export const TRUST_ANCHOR_DEFAULTS = {
  controlPlaneNamespace: 'linkerd',
  certManagerNamespace: 'cert-manager',
  commonName: 'root.linkerd.cluster.local',
  duration: '87600h',
  renewBefore: '8760h',
  privateKey: { algorithm: 'ECDSA', size: 256 },
  issuanceLifetime: '24h',
  clockSkewAllowance: '20s',
  // The kubelet syncs volumes once a minute, and its cache may be a minute old.
  propagationDelay: '3m',
  laggards: { policy: 'Report', maxUnavailableWorkloads: 1, progressDeadlineSeconds: 600 },
  paused: false,
  abort: false,
  acceptUnseenProxies: false,
  probes: 'Gate',
} as const satisfies TrustAnchorSpec;

/** One anchor, for users. */
export interface TrustAnchorEntry {
  readonly generation?: number;
  /** SHA-256 of its public key and subject, in hex. */
  readonly key: string;
  readonly subject?: string;
  readonly notAfter: string;
  /**
   * Its use: `Signing`, `Next`, `Previous`, `Member` (of a cluster that shares the anchor), `Foreign` (of no known
   * cluster).
   */
  readonly role: string;
}

/** The request for a bridge that the old anchor's key has to sign. */
export interface BridgeRequest {
  /** The generation of the next anchor. */
  readonly generation: number;
  /** Certificate signing request, PEM. */
  readonly request: string;
  /** Its subject, which the signed certificate must keep. */
  readonly subject: string;
  /** Subject of the anchor that has to sign. */
  readonly signer: string;
  /** The least path length of the signed certificate: the identity issuer follows. */
  readonly pathLength: number;
  /** The expiry of the old anchor, which the signed certificate must not exceed. */
  readonly notAfter?: string;
  /** The time after which a rotation over the bridge would be too late, and restarts would not. */
  readonly until?: string;
}

interface CompromisedTrust {
  readonly keys: readonly string[];
  readonly pods: number;
  readonly inBundle: boolean;
  readonly since: string;
  /** The end of the worst plan. */
  readonly until: string;
  /** The first of the workloads of these pods, oldest first. */
  readonly workloads: readonly { readonly workload: string; readonly pods: number; readonly since: string }[];
}

/** The part of an observation that is kept in the status. Times are RFC 3339. See `AnchorMemory`. */
export interface TrustAnchorStatus {
  readonly observedGeneration?: number;
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
  readonly anchors?: readonly TrustAnchorEntry[];
  /** `1 (of 10y)`: for the printer column. */
  readonly anchorsSummary?: string;
  /** Absent unless a signature is awaited. */
  readonly bridge?: BridgeRequest;
  /** Absent unless a key leaked. */
  readonly compromised?: CompromisedTrust;
  readonly nextRotation?: string;
  /** Time between the end of the worst plan and the day on which it would be too late. */
  readonly slack?: string;
  readonly laggards?: {
    readonly count: number;
    readonly pods: number;
    readonly workloads: readonly { readonly workload: string; readonly pods: number; readonly since: string }[];
  };
  readonly restarts?: {
    readonly inProgress: readonly { readonly workload: string; readonly since: string; readonly unsettled?: boolean }[];
  };
  /** Facts that later observations need: `AnchorMemory` as JSON with times in milliseconds since 1970. */
  readonly memory?: Readonly<Record<string, unknown>>;
}
