import type { Condition } from './linkerd-config';

/** The only name that a TrustAnchor may have: a cluster has one mesh. */
export const TRUST_ANCHOR_NAME = 'linkerd';

/** Name of the first anchor's Certificate and Secret, made without the operator; and start of the names of all others. */
export const ANCHOR = 'linkerd-trust-anchor';

/** Name of the Issuer in cert-manager's namespace that has anchors sign themselves. */
export const SELF_SIGNED_ISSUER = 'linkerd-trust-root-issuer';

/** Name of the ClusterIssuer that signs identity issuers, and of the identity issuer's Certificate and Secret. */
export const IDENTITY_ISSUER = 'linkerd-identity-issuer';

/** Name of the Bundle, and of the ConfigMap that it writes into the control plane's namespace. */
export const TRUST_ROOTS = 'linkerd-identity-trust-roots';

/**
 * Marks the Secrets in cert-manager's namespace whose certificates proxies trust; the value is one of the
 * roles current, signing and previous.
 *
 * Being found by label, a Secret may come, go and change its name without the trust bundle ever lacking a source: a
 * Bundle whose source is missing by name is not updated any more.
 */
export const TRUST_ANCHOR_LABEL = 'cdk8s-linkerd/trust-anchor';

/** Label of what the operator made: the number of the anchor's generation. */
export const GENERATION_LABEL = 'config.linkerd.io/generation';

/** Annotation of a TrustAnchor that starts a rotation when its value is new, as `spec.rotateNow` does. */
export const ROTATE_NOW_ANNOTATION = 'config.linkerd.io/rotate-now';

/**
 * Annotation of a TrustAnchor that has the operator forget what its status remembers, once for each value: it observes
 * everything again, and waits begin again.
 */
export const FORGET_ANNOTATION = 'config.linkerd.io/forget-memory';

/** Label of ConfigMaps in cert-manager's namespace in which other clusters tell how far they are. */
export const MEMBER_LABEL = 'config.linkerd.io/trust-anchor-member';

/** ConfigMap of cert-manager's namespace in which the operator tells other clusters how far this one is. */
export const MEMBER_CONFIG_MAP = 'linkerd-trust-anchor-member';

/** ConfigMap of cert-manager's namespace that keeps anchors in the bundle whose Secrets are lost; its key. */
export const KEPT_ROOTS = 'linkerd-trust-anchors';

/** Key of {@link TRUST_ROOTS}, as Linkerd's charts mount it, and of the ConfigMaps that the Bundle takes PEM from. */
export const TRUST_ROOTS_KEY = 'ca-bundle.crt';

/**
 * Annotations of all that is the operator's own: Argo CD, which may have made some of it once, neither prunes nor deletes
 * it, and does not take it for a difference.
 */
export const LEFT_ALONE: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
};

/** Names for as many anchors after the first one: no more than three live at a time, and permissions name them all. */
export const NAMED_GENERATIONS = 8;

/** The name of everything that belongs to one generation of the anchor. Generations take turns with the names. */
export function anchorName(generation: number): string {
  return generation === 0 ? ANCHOR : `${ANCHOR}-${((generation - 1) % NAMED_GENERATIONS) + 1}`;
}

/**
 * The longest common name of anchors that leaves room for the number of a generation and a dot within the 64 characters
 * of X.509 (RFC 5280, ub-common-name): one a day takes 27 years to need more.
 */
export const LONGEST_COMMON_NAME = 59;

/** Most other clusters that share an anchor. */
export const MOST_MEMBERS = 128;

/** The names that anchors may have, the first one's included. */
export function anchorNames(): readonly string[] {
  return Array.from({ length: NAMED_GENERATIONS + 1 }, (_, generation) => anchorName(generation));
}

/**
 * - `Report`: pods that know only the old anchor are listed, and restarted when the time that is left is what the
 *   worst plan takes.
 * - `Restart`: they are restarted as soon as new pods know the new anchor.
 * - `Never`: they are listed, and an alert tells of them.
 */
export type LaggardPolicy = 'Report' | 'Restart' | 'Never';

/** A time of the week, in UTC. */
export interface MaintenanceWindow {
  /** Days on which it begins; none for each. */
  readonly days?: readonly Weekday[];
  /** Hours and minutes of its beginning: `02:00`. */
  readonly start: string;
  /** Go duration: `4h`. */
  readonly duration: string;
}

/** The days of the week, the first one first. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** A day of the week. */
export type Weekday = (typeof WEEKDAYS)[number];

/** The spec of a TrustAnchor, after the API server filled in the defaults. Durations are Go's: `87600h`. */
export interface TrustAnchorSpec {
  readonly controlPlaneNamespace: string;
  readonly certManagerNamespace: string;
  /** Common name of anchors; the number of the generation is put before it. */
  readonly commonName: string;
  readonly duration: string;
  /** The time before an anchor's end at which its rotation begins. */
  readonly renewBefore: string;
  readonly privateKey: { readonly algorithm: 'ECDSA' | 'RSA'; readonly size: number };
  /** Lifetime of proxies' certificates, as the control plane has it. */
  readonly issuanceLifetime: string;
  readonly clockSkewAllowance: string;
  /** The longest that a changed ConfigMap or Secret takes to reach who mounts it. */
  readonly propagationDelay: string;
  readonly laggards: {
    readonly policy: LaggardPolicy;
    readonly maxUnavailableWorkloads: number;
    readonly progressDeadlineSeconds: number;
  };
  /** Rotations begin, and laggards are restarted, only in these, unless time is short. None: at any time. */
  readonly windows?: readonly MaintenanceWindow[];
  /** Nothing is done until it is false again. */
  readonly paused: boolean;
  /** The rotation that goes on is taken back, and none begins. */
  readonly abort: boolean;
  /** Another text than before starts a rotation. */
  readonly rotateNow?: string;
  /** Anchors are retired although proxies outside of the cluster may know no other: somebody has seen to them. */
  readonly acceptUnseenProxies: boolean;
  /** Name of this cluster among those that share its anchor. */
  readonly cluster?: string;
  /** Names of the other clusters that share the anchor: none is retired before all of them have adopted the next. */
  readonly members?: readonly string[];
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
  // The kubelet looks once a minute, and its cache may be a minute old.
  propagationDelay: '3m',
  laggards: { policy: 'Report', maxUnavailableWorkloads: 1, progressDeadlineSeconds: 600 },
  paused: false,
  abort: false,
  acceptUnseenProxies: false,
} as const satisfies TrustAnchorSpec;

/** One anchor, as people look for it. */
export interface TrustAnchorEntry {
  readonly generation?: number;
  /** SHA-256 of its public key and subject, in hex. */
  readonly key: string;
  readonly subject?: string;
  readonly notAfter: string;
  /** Its use: `Signing`, `Next`, `Previous`, `Member` (of a cluster that shares the anchor), `Foreign` (of no known cluster). */
  readonly role: string;
}

/** The part of an observation that is kept in the status. Times are RFC 3339. See `AnchorMemory`. */
export interface TrustAnchorStatus {
  readonly observedGeneration?: number;
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
  readonly anchors?: readonly TrustAnchorEntry[];
  /** `1 (of 10y)`: what the printer column shows. */
  readonly anchorsSummary?: string;
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
  /** All that a later look needs of earlier ones: `AnchorMemory` as JSON with times in milliseconds since 1970. */
  readonly memory?: Readonly<Record<string, unknown>>;
}
