/** Milliseconds since 1970. */
export type Time = number;

/** A list of objects of one kind, as far as it could be read. */
export type Reading<T> =
  | {
      readonly is: 'read';
      readonly items: readonly T[];
      /** There are more: reading stopped at the limit of pages. */
      readonly truncated?: true;
    }
  /** The cluster does not have the kind, or the list was not asked for. */
  | { readonly is: 'absent' }
  | { readonly is: 'forbidden' }
  | { readonly is: 'failed'; readonly reason: string };

/** What was read from one cluster at one time: only the fields that rules need. */
export interface Observation {
  /** Why nothing could be read. The lists are absent then. */
  readonly unreachable?: string;
  readonly namespaces: Reading<ObservedNamespace>;
  readonly pods: Reading<ObservedPod>;
  readonly workloads: Reading<ObservedWorkload>;
  readonly certificates: Reading<ObservedCertificate>;
  readonly requests: Reading<ObservedRequest>;
  readonly webhooks: Reading<ObservedWebhook>;
  readonly bundles: Reading<ObservedBundle>;
  readonly trustAnchors: Reading<ObservedTrustAnchor>;
  readonly configs: Reading<ObservedConfig>;
  readonly links: Reading<ObservedName>;
  readonly gateways: Reading<ObservedGateway>;
  readonly servers: Reading<ObservedServer>;
  /** The success rate of meshed requests, or why it is unknown; absent if the ring does not ask for it. */
  readonly successRate?: number | { readonly unknown: string };
  /** Requests and connections of the last hour that only an audit permitted, by namespace; absent if unknown. */
  readonly audited?: ReadonlyMap<string, number>;
}

/** The lists of an observation. */
export type ObservedKind = Exclude<keyof Observation, 'unreachable' | 'successRate' | 'audited'>;

/** The object that a list contains. */
export type ObservedItem<K extends ObservedKind> = Observation[K] extends Reading<infer T> ? T : never;

/** The name of an object. */
export interface ObservedName {
  readonly namespace: string;
  readonly name: string;
}

/** A namespace. */
export interface ObservedNamespace {
  readonly name: string;
  /** The value of `linkerd.io/inject`. */
  readonly inject?: string;
  /** Linkerd's webhooks ignore the namespace. */
  readonly isExempt: boolean;
  /** The value of `config.linkerd.io/default-inbound-policy`. */
  readonly inboundPolicy?: string;
}

/** A pod. */
export interface ObservedPod extends ObservedName {
  /** `Deployment/web`; `Pod/web` if it has no controller. */
  readonly workload: string;
  readonly created?: Time;
  /** It has ended, or is being deleted. */
  readonly isOver: boolean;
  readonly isHostNetwork: boolean;
  /** The value of `linkerd.io/inject`. */
  readonly inject?: string;
  /** Name of the component of the control plane. */
  readonly component?: string;
  /** The tag of the image that its container of the component runs, once it is ready. */
  readonly running?: string;
  /** Absent if it has no proxy. */
  readonly proxy?: ObservedProxy;
}

/** The proxy of a pod. */
export interface ObservedProxy {
  /** From its annotation, or else the tag of its image. */
  readonly release?: string;
  /** SHA-256 of the trust roots with which it was injected. */
  readonly roots?: string;
  readonly isReady: boolean;
  /** The end of its container before the present one; absent if it never restarted. */
  readonly ended?: { readonly at: Time; readonly reason: string };
}

/** A Deployment or a DaemonSet. */
export interface ObservedWorkload extends ObservedName {
  readonly kind: string;
  readonly wanted: number;
  /** Number of ready pods of the current template; 0 if no controller has observed it. */
  readonly ready: number;
  /** Since when it has not been available, if the cluster says so. */
  readonly since?: Time;
  /** The tags of the images of its containers, by container. */
  readonly images: Readonly<Record<string, string>>;
}

/** A Certificate of cert-manager. */
export interface ObservedCertificate extends ObservedName {
  readonly isReady?: boolean;
  /** Why it is not ready. */
  readonly message?: string;
  readonly since?: Time;
  readonly notAfter?: Time;
  readonly renewalTime?: Time;
  readonly revision?: number;
}

/** A CertificateRequest of cert-manager: the issued certificate without its key. */
export interface ObservedRequest extends ObservedName {
  readonly certificate: string;
  readonly revision: number;
  /** PEM: the certificate, and the intermediates that come with it. */
  readonly chain: string;
}

/** A configuration of webhooks, or an APIService. */
export interface ObservedWebhook {
  readonly kind: string;
  readonly name: string;
  /** `namespace/name` of the Certificate whose CA cert-manager injects. */
  readonly caFrom?: string;
  /** PEM of each of its webhooks; empty if it has none. */
  readonly caBundles: readonly string[];
}

/** A ConfigMap with the trust roots of the mesh. */
export interface ObservedBundle extends ObservedName {
  /** PEM; absent if the ConfigMap lacks the key. */
  readonly roots?: string;
}

/** A condition of an object. */
export interface ObservedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since?: Time;
}

/** An object of the operator. */
export interface ObservedOperated {
  readonly name: string;
  readonly conditions: readonly ObservedCondition[];
  /** The operator has not observed the current spec. */
  readonly isOutdated: boolean;
}

/** A TrustAnchor. */
export interface ObservedTrustAnchor extends ObservedOperated {
  readonly phase?: string;
  readonly isPaused: boolean;
  /** As the status says it: `9y`, `-5m`. */
  readonly slack?: string;
  readonly nextRotation?: Time;
  readonly laggards?: { readonly pods: number; readonly workloads: readonly string[]; readonly since?: Time };
}

/** A LinkerdConfig. */
export interface ObservedConfig extends ObservedOperated {
  readonly inProgress: readonly string[];
  readonly unmanagedPods: { readonly count: number; readonly pods: readonly string[] };
  readonly passedBy: { readonly count: number; readonly workloads: readonly string[] };
}

/** A Service of a multicluster gateway. */
export interface ObservedGateway extends ObservedName {
  readonly addresses: readonly string[];
  readonly created?: Time;
}

/** A Server of Linkerd's policy. */
export interface ObservedServer extends ObservedName {
  readonly accessPolicy?: string;
}

/** An Application of Argo CD. */
export interface ObservedApplication {
  readonly name: string;
  readonly project: string;
  readonly repoUrl: string;
  /** Address or name of the cluster. */
  readonly destination: string;
  readonly path: string;
  readonly targetRevision: string;
  readonly sync: string;
  readonly health: string;
  readonly healthSince?: Time;
  /** The commit that it compares with. */
  readonly revision?: string;
  /** When Argo CD last compared it. */
  readonly reconciled?: Time;
  readonly isSyncing: boolean;
  /** The last sync, if it failed. */
  readonly failure?: { readonly message: string; readonly since?: Time };
  /** Conditions that are errors. */
  readonly errors: readonly ObservedCondition[];
  /** Conditions that are warnings about objects of its own. */
  readonly warnings: readonly ObservedCondition[];
  /** Objects that are out of sync or unhealthy: `Deployment linkerd/linkerd-destination`. */
  readonly resources: readonly string[];
}

/** An ApplicationSet of Argo CD. */
export interface ObservedApplicationSet {
  readonly name: string;
  /** Why it does not generate its Applications, if it does not. */
  readonly error?: ObservedCondition;
}

/** Whether what is not among the objects of a list is not in the cluster. */
export function isWhole<T>(reading: Reading<T>): boolean {
  return reading.is === 'absent' || (reading.is === 'read' && reading.truncated !== true);
}

/** Returns the objects of a list; undefined if it could not be read. */
export function itemsOf<T>(reading: Reading<T>): readonly T[] | undefined {
  return reading.is === 'read' ? reading.items : undefined;
}
