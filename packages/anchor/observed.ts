import type { AnchorKey, CaCertificate, IssuerChain, Time } from './chain';
import type { AnchorMemory, Vouching } from './memory';
import type { AskedSigner, BridgeSigner, CertifiedCluster, LaggardPolicy } from './trust-anchor';

/** The settings of a rotation, in the observation's unit of time. */
export interface AnchorPolicy {
  readonly duration: number;
  readonly renewBefore: number;
  /** How far a leaf reaches beyond its issuance: its lifetime and the allowed clock skew. */
  readonly leafReach: number;
  /** The maximum difference between clocks. */
  readonly skew: number;
  /** The longest time until a changed ConfigMap or Secret reaches the pods that mount it. */
  readonly lag: number;
  /** The resolution of times from other sources. */
  readonly grain: number;
  /** How long cert-manager may take to issue, and identity to load what is issued, before it is reported. */
  readonly patience: number;
  /** The longest time for the restart of one workload. */
  readonly restartTime: number;
  /** Maximum number of workloads that restart at a time. */
  readonly parallelRestarts: number;
  readonly laggards: LaggardPolicy;
  readonly paused: boolean;
  readonly abort: boolean;
  /** Requests a rotation: a value other than the last one that was handled starts one. */
  readonly rotateNow?: string;
  /** Names of the other clusters that share the anchor. */
  readonly members: readonly string[];
  /** Leaked keys of anchors: the mesh stops trusting them as soon as it can. */
  readonly compromised?: readonly AnchorKey[];
  /** Who signs the bridge if the old anchor's key is outside the cluster; absent for no bridge: all pods restart. */
  readonly bridgeSigner?: Exclude<BridgeSigner, 'key'>;
  /** True to wait for that bridge even when only restarts would still be in time. */
  readonly awaitsBridge?: boolean;
  /** The other cluster that certifies the anchors of this one. */
  readonly certifiedBy?: string;
  /** This cluster's trust domain, to which certificates of its anchors may be constrained. */
  readonly trustDomain?: string;
  /** The other clusters whose anchors this one certifies. */
  readonly certifies?: readonly CertifiedCluster[];
}

/** A request of cert-manager for the certificate of a generation, to be answered by the operator. */
export interface ObservedRequest {
  /** The key that asks: hash of subject and public key, as of anchors. */
  readonly key: AnchorKey;
  /** SHA-256 of the public key, in hex. */
  readonly publicKey: string;
  readonly subject: string;
}

/** One of the certificates that were given as the answer to a request. */
export interface GivenCertificate extends CaCertificate {
  /** SHA-256 of the certificate, in hex. */
  readonly id: string;
  /** SHA-256 of its public key, in hex. */
  readonly publicKey: string;
  readonly subject: string;
  /** True if it may sign certificates. */
  readonly isCa: boolean;
  /** True if certificates below it may be used by TLS servers and by TLS clients. */
  readonly isForTls: boolean;
}

/** The certificates that were given as the answer to a request. */
export interface GivenAnswer {
  /** `spec`: in the TrustAnchor; `config-map`: in the ConfigMap for answers; `member`: in another cluster's report. */
  readonly place: 'spec' | 'config-map' | 'member';
  readonly certificates: readonly GivenCertificate[];
  /** True if there is a private key, too. */
  readonly hasPrivateKey?: boolean;
}

/** A generation of the anchor: its Certificate, and the Secret with its key. */
export interface ObservedAnchor {
  readonly generation: number;
  /**
   * True for an anchor that is only a Secret, without a Certificate: the operator cannot change its label, and it leaves
   * the bundle when it expires.
   */
  readonly onlySecret?: boolean;
  /** True if the certificate in its Secret should be in the bundle. */
  readonly bundled: boolean;
  /** The requested signer: itself, a generation, a signer outside the cluster (`request`), or an unknown one. */
  readonly askedSigner: AskedSigner | 'other';
  /** The request for its next certificate, while it waits for the operator's answer. */
  readonly request?: ObservedRequest;
  /** The CA certificates in its Secret above its own, towards a root. */
  readonly above?: readonly CaCertificate[];
  /** `issued`: the Secret contains what is requested. */
  readonly state: 'issuing' | 'issued' | 'failed';
  /** The content of its Secret, as far as it is known. */
  readonly certificate?: CaCertificate;
  /**
   * True if cert-manager would create another key with the next certificate, by a setting that is not the operator's.
   */
  readonly changesKey?: boolean;
  /** True if the Issuer that signs with its key exists. */
  readonly hasIssuer: boolean;
}

/** The identity issuer's Certificate. */
export interface ObservedIssuer {
  readonly state: 'missing' | 'issuing' | 'issued' | 'failed';
  /** The content of its Secret, as far as it is known. */
  readonly chain?: IssuerChain;
  /** Number of issuances, incremented by each. */
  readonly revision?: number;
}

/** A replica of Linkerd's identity controller. */
export interface ObservedIdentity {
  readonly name: string;
  /** The start of its container. */
  readonly since: Time;
  /** The expiry of its issuer, from its metric; absent if unavailable. */
  readonly issuerEnd?: Time;
}

/** Pods of one workload with the same roots. */
export interface PodGroup {
  /** `namespace/Kind/name`; for a pod without a workload, `namespace/Pod/name`. */
  readonly workload: string;
  readonly pods: number;
  /** The start of the oldest proxy. */
  readonly since: Time;
  /**
   * Hash of the bundle that they were injected with; absent for the control plane, whose pods read it when they start.
   */
  readonly hash?: string;
  /** False for pods that no controller would recreate. */
  readonly restartable: boolean;
}

/** The bundle in the control plane's namespace. */
export interface ObservedBundle {
  readonly hash: string;
  readonly anchors: readonly CaCertificate[];
}

/** Another cluster with the same anchor, by its last report. */
export interface ObservedMember {
  readonly name: string;
  /** Anchors that sign there, or may: this cluster's pods must trust one root of each. */
  readonly signing: readonly AnchorKey[];
  /**
   * Anchors whose certificates the report includes: those that sign there, and those to which certificates of other
   * clusters may chain. They belong in the bundle here.
   */
  readonly roots?: readonly AnchorKey[];
  /** Anchors that all pods there trust. */
  readonly adopted: readonly AnchorKey[];
  /** The anchor with which it certifies those of other clusters; absent if it certifies none. */
  readonly certifier?: AnchorKey;
  /** The anchors of other clusters to which certificates in use there may chain. */
  readonly certifiers?: readonly AnchorKey[];
  /** Certifiers to which all certificates in use there chain. */
  readonly certified?: readonly AnchorKey[];
  /** True if all certificates in use there chain to one of the certifiers. */
  readonly isCovered?: true;
  /** The anchor that it asks to have certified. */
  readonly request?: MemberRequest;
  /** Its anchors that nothing may trust any longer: their keys leaked, or they certified an anchor whose key leaked. */
  readonly compromised?: readonly AnchorKey[];
  /** The leaked keys that nothing there trusts any more; absent from operators that do not report it. */
  readonly distrusts?: readonly AnchorKey[];
  /** Which anchors certified others there. */
  readonly vouched?: readonly Vouching[];
  /** The time of the report. */
  readonly updated?: Time;
}

/** The request of another cluster for a certificate of its anchor. */
export interface MemberRequest {
  /** The key that asks: hash of subject and public key, as of anchors. */
  readonly key: AnchorKey;
  readonly subject: string;
  /** True if proxies accept keys of this kind. */
  readonly isKeySupported: boolean;
  /** True if this cluster has seen another CA with the same subject. */
  readonly isNamesake?: true;
  /** The DNS domains of the critical name constraint that it asks for; absent for any other constraint. */
  readonly permits?: readonly string[];
  /** True if it asks to constrain URIs, too. */
  readonly limitsUris?: true;
}

/** The request to cert-manager for the certificate of another cluster's anchor. */
export interface ObservedCertification {
  readonly cluster: string;
  /** The key that it certifies. */
  readonly key: AnchorKey;
  /** The generation whose Issuer signs it; absent for another issuer. */
  readonly generation?: number;
  readonly state: 'issuing' | 'issued' | 'failed';
  readonly since: Time;
  readonly certificate?: CaCertificate;
}

/** What a proxy presented to a probe. */
export interface PresentedChain {
  /** `namespace/name` of its pod. */
  readonly pod: string;
  /** True for a pod of the control plane: tenants have no access there, so its chain is evidence. */
  readonly isTrusted?: true;
  /**
   * The chain from its certificate towards an anchor, valid while both the certificate and its issuer are. Absent if
   * the certificate is not for the pod's identity, or its issuer did not sign it.
   */
  readonly chain?: IssuerChain;
}

/** The result of the last complete round of probes. */
export interface ObservedProbes {
  /** True if the result may keep an anchor from being retired. */
  readonly gates: boolean;
  /** The start of the round; absent before the first. */
  readonly since?: Time;
  readonly presented: readonly PresentedChain[];
  /** Pods that presented nothing, `namespace/name`. */
  readonly unreached: readonly string[];
}

/** Everything that determines a rotation. */
export interface ObservedTrust {
  readonly policy: AnchorPolicy;
  readonly memory: AnchorMemory;
  readonly anchors: readonly ObservedAnchor[];
  /** The generation with whose Secret the ClusterIssuer of identity issuers signs; absent if there is none. */
  readonly signer?: number | 'other';
  readonly issuer: ObservedIssuer;
  readonly bundle?: ObservedBundle;
  /** Anchors that the operator itself keeps in the bundle, whatever happens to their Secrets. */
  readonly kept: readonly AnchorKey[];
  /** Kept anchors with a newer certificate that expires later. */
  readonly outlived?: readonly AnchorKey[];
  readonly identity: readonly ObservedIdentity[];
  /** The times at which each replica of identity last reported loading an issuer. */
  readonly issuerUpdates: readonly Time[];
  /** The pods that a rotation waits for. */
  readonly pods: readonly PodGroup[];
  /** Pods of ignored namespaces, which matter only if they trust a leaked key. */
  readonly ignoredPods?: readonly PodGroup[];
  readonly members: readonly ObservedMember[];
  /** Names of proxies and clusters whose roots the operator cannot see, unless a user has agreed to cut them off. */
  readonly unseen?: readonly string[];
  /** The given answers to the request for a bridge, by precedence. */
  readonly answers?: readonly GivenAnswer[];
  /** The certificates that were requested for anchors of other clusters. */
  readonly certifications?: readonly ObservedCertification[];
  /** False outside the maintenance windows. */
  readonly inWindow: boolean;
  /** What proxies present; absent if probing is off. */
  readonly probes?: ObservedProbes;
  /** True if parts of it may be older than `lag`. */
  readonly isLate?: boolean;
}
