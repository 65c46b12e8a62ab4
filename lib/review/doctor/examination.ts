import type {
  Observation,
  ObservedCertificate,
  ObservedCondition,
  ObservedName,
  ObservedNamespace,
  ObservedPod,
  ObservedRequest,
  ObservedServer,
  ObservedWebhook,
  ObservedWorkload,
  Reading,
  Time,
} from '../status/observation';

/** What was read from a cluster to find the cause of a symptom: more of each object than a status needs, and more kinds. */
export interface Examination extends Omit<Observation, 'successRate' | 'audited'> {
  readonly namespaces: Reading<ExaminedNamespace>;
  readonly pods: Reading<ExaminedPod>;
  readonly workloads: Reading<ExaminedWorkload>;
  readonly certificates: Reading<ExaminedCertificate>;
  readonly requests: Reading<ExaminedRequest>;
  readonly webhooks: Reading<ExaminedWebhook>;
  readonly controllers: Reading<ExaminedController>;
  readonly servers: Reading<ExaminedServer>;
  readonly authorizations: Reading<ExaminedAuthorization>;
  readonly nodes: Reading<ExaminedNode>;
  readonly endpoints: Reading<ExaminedEndpoints>;
  readonly events: Reading<ExaminedEvent>;
  readonly quotas: Reading<ExaminedQuota>;
  readonly issuers: Reading<ExaminedIssuer>;
  readonly trustBundles: Reading<ExaminedTrustBundle>;
  readonly budgets: Reading<ExaminedBudget>;
  readonly leases: Reading<ExaminedLease>;
  /** When API servers last renewed their Leases. */
  readonly clocks: Reading<Time>;
  readonly policies: Reading<{ readonly name: string }>;
  readonly installed: Reading<ExaminedInstallation>;
  readonly applications: Reading<ExaminedApplication>;
  /** The resources of Linkerd's API groups: `servers.policy.linkerd.io`. */
  readonly resources: Reading<string>;
}

/** The lists of an examination. */
export type ExaminedKind = Exclude<keyof Examination, 'unreachable' | 'resources'>;

/** The object that a list contains. */
export type ExaminedItem<K extends ExaminedKind> = Examination[K] extends Reading<infer T> ? T : never;

/** Who wrote a field, and when. */
export interface Change {
  readonly manager: string;
  readonly at?: Time;
}

/** A namespace. */
export interface ExaminedNamespace extends ObservedNamespace {
  readonly labels: Readonly<Record<string, string>>;
  /** It is being deleted: since when, and what is left. */
  readonly terminating?: { readonly since?: Time; readonly message: string };
}

/** A container that does not run as it should. */
export interface TroubledContainer {
  readonly name: string;
  /** Such as `CrashLoopBackOff`, `ImagePullBackOff`, `CreateContainerConfigError`. */
  readonly reason: string;
  readonly message: string;
  readonly image: string;
}

/** A pod. */
export interface ExaminedPod extends ObservedPod {
  readonly labels: Readonly<Record<string, string>>;
  readonly node?: string;
  readonly isReady: boolean;
  /** Since when it has or has not been ready. */
  readonly readySince?: Time;
  /** The scheduler found no node. */
  readonly unscheduled?: { readonly since?: Time; readonly message: string };
  readonly troubled: readonly TroubledContainer[];
  /** One of its containers runs, or has run. */
  readonly hasStarted: boolean;
}

/** A StatefulSet or a Job. */
export interface ExaminedController extends ObservedName {
  readonly kind: string;
  /** It has fewer pods than it wants, and may create more. */
  readonly lacksPods: boolean;
}

/** A Server of Linkerd's policy. */
export interface ExaminedServer extends ObservedServer {
  readonly podSelector?: unknown;
}

/** An AuthorizationPolicy or a ServerAuthorization. */
export interface ExaminedAuthorization {
  readonly namespace: string;
  /** The Server that it permits clients to reach; absent if that may be any of the namespace. */
  readonly server?: string;
}

/** A Deployment or a DaemonSet. */
export interface ExaminedWorkload extends ObservedWorkload {
  readonly labels: Readonly<Record<string, string>>;
  /** Labels of its pods. */
  readonly podLabels: Readonly<Record<string, string>>;
  /** Number of ready pods of any template. */
  readonly running: number;
  /** Who set the number of its pods. */
  readonly scaled?: Change;
  /** The API server refuses its pods. */
  readonly refusal?: { readonly since?: Time; readonly message: string };
}

/** A Certificate of cert-manager. */
export interface ExaminedCertificate extends ObservedCertificate {
  readonly secretName: string;
  /** `ClusterIssuer name` or `Issuer namespace/name`; absent if it is of another group. */
  readonly issuer?: string;
}

/** A CertificateRequest, issued or not. */
export interface ExaminedRequest extends ObservedRequest {
  /** It was denied, or has failed. */
  readonly refusal?: { readonly since?: Time; readonly reason: string; readonly message: string };
}

/** One webhook of a configuration. */
export interface ExaminedHook {
  readonly name: string;
  /** `namespace/name`; absent if it has an address instead. */
  readonly service?: string;
  readonly isFailing: boolean;
  /** The API server asks it when a pod is created. */
  readonly catchesPods: boolean;
  readonly namespaceSelector?: unknown;
}

/** A configuration of webhooks, or an APIService. */
export interface ExaminedWebhook extends ObservedWebhook {
  readonly hooks: readonly ExaminedHook[];
  /** Who last wrote its webhooks. */
  readonly changed?: Change;
  /** An APIService does not respond. */
  readonly unavailable?: { readonly since?: Time; readonly message: string };
}

/** A node. */
export interface ExaminedNode {
  readonly name: string;
  readonly isReady: boolean;
  readonly readySince?: Time;
  /** It is cordoned. */
  readonly isCordoned: boolean;
  /** The keys of its taints that keep new pods away. */
  readonly taints: readonly string[];
  /** Who closed it. */
  readonly closed?: Change;
}

/** A part of the addresses of a Service. */
export interface ExaminedEndpoints {
  readonly namespace: string;
  readonly service: string;
  /** Number of addresses that get connections. */
  readonly ready: number;
}

/** A Warning about an object. */
export interface ExaminedEvent {
  readonly namespace: string;
  /** `ReplicaSet/web-5d8`. */
  readonly object: string;
  readonly reason: string;
  readonly message: string;
  /** When it first happened, and when it last did. */
  readonly first?: Time;
  readonly last?: Time;
}

/** A ResourceQuota. */
export interface ExaminedQuota extends ObservedName {
  /** Its resources of which nothing is left, with their limits: `pods 0`. */
  readonly exhausted: readonly string[];
  readonly created?: Time;
}

/** An Issuer or a ClusterIssuer of cert-manager. */
export interface ExaminedIssuer {
  /** `ClusterIssuer name` or `Issuer namespace/name`. */
  readonly issuer: string;
  readonly ready?: ObservedCondition;
  /** The Secret of its CA. */
  readonly secretName?: string;
}

/** A Bundle of trust-manager. */
export interface ExaminedTrustBundle {
  readonly name: string;
  readonly synced?: ObservedCondition;
}

/** A PodDisruptionBudget. */
export interface ExaminedBudget extends ObservedName {
  readonly selector?: unknown;
  /** Number of pods that may be evicted now. */
  readonly allowed: number;
  readonly healthy: number;
  /** The least number of healthy pods. */
  readonly wanted: number;
  /** Number of pods that it counts. */
  readonly expected: number;
  /** Since when it has or has not permitted an eviction. */
  readonly since?: Time;
}

/** A Lease by which replicas choose a leader. */
export interface ExaminedLease extends ObservedName {
  readonly holder: string;
  readonly renewed?: Time;
  readonly durationSeconds: number;
}

/** What Helm or `linkerd install` wrote down of an installation. */
export interface ExaminedInstallation {
  readonly namespace: string;
  /** PEM of the identity issuer when it was installed; absent if Linkerd does not create its Secret. */
  readonly issuer?: string;
}

/** An Application of Argo CD. */
export interface ExaminedApplication {
  readonly name: string;
  readonly namespaces: readonly string[];
  readonly sync: string;
  readonly isAutomated: boolean;
  readonly failure?: { readonly since?: Time; readonly message: string };
  readonly error?: ObservedCondition;
}
