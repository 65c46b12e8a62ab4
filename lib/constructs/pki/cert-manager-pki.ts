import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { anchorName } from '#anchor/trust-anchor';
import { ALERTING, type Alerting } from '#kubernetes/monitoring';
import type { DurationLike } from '#kubernetes/options/duration-like';
import { DURATION, keysOf, part, type Read, required } from '#kubernetes/options/known-keys';
import { FIELD_MANAGER } from '#operator/api/names';
import { addRule } from '../../gitops/tree/add-rule';
import { Cluster, clusterDomainOf } from '../../gitops/tree/cluster';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propOfClass, propOfName, propsOf } from '../../gitops/tree/prop-of-shape';
import {
  type AnchorOperator,
  type AnchorRotation,
  checkOperated,
  checkOperatedLate,
  usualRotation,
} from './anchor-rotation';
import { CERT_MANAGER, type ICertManager } from './cert-manager';
import { CertificateAlerts } from './certificate-alerts';
import { type ExistingCertManagerPKIProps, ExistingPKI, type ICertManagerPKI } from './existing-pki';
import { IDENTITY_ISSUER, IdentityChain } from './identity-chain';
import { IssuerAdmissionPolicy } from './issuer-admission-policy';
import { checkClusterDomain, checkPki, pkiWarnings, windowsOf } from './pki-rules';
import {
  certifiedClusters,
  generationOf,
  isOwnAnchor,
  isSignedByUser,
  type OwnTrustAnchor,
  type TrustAnchorSource,
  trustAnchorKeys,
} from './trust-anchor';
import { type TrustRoots, trustRootsOf } from './trust-roots';
import {
  type ResolvedValidity,
  USUAL_ANCHOR,
  USUAL_VALIDITIES,
  VALIDITY,
  type Validity,
  validityProp,
} from './validity';
import { omissionsIn } from './validity-rules';
import { WEBHOOK_ISSUER, WebhookCertificate, type WebhookCertificateProps, WebhookChain } from './webhook-certificate';

/** The certificates of one mesh. Every `renewBefore` counts back from the certificate's expiry. */
export interface CertManagerPKIProps {
  /** The cert-manager that issues them. */
  readonly certManager: ICertManager;

  /**
   * The root of trust of all proxies: issued by cert-manager, or from `TrustAnchor`.
   *
   * The `renewBefore` of an anchor that cert-manager issues must be at least the identity issuer's `duration` and at
   * most half of its own `duration`.
   *
   * @default - issued by cert-manager for 3650 days, and rotated within its last 365 days: by the operator if the
   * cluster has a ReconcilerOperator for all namespaces, else manually (cert-manager 1.21)
   */
  readonly trustAnchor?: TrustAnchorSource;

  /**
   * The change of the trust anchor to accept: the text in the error `anchor-changed`, or several texts if rings are at
   * different steps. All other changes remain errors. docs/moving-roots.md has the steps.
   *
   * @default - none: changing the anchor of an existing mesh is an error
   */
  readonly acceptAnchorChange?: string | readonly string[];

  /**
   * The intermediate CA with which Linkerd's identity controller signs proxies' certificates.
   *
   * `renewBefore` must be at least `issuanceLifetime` plus `clockSkewAllowance`.
   *
   * @default { duration: Duration.hours(48), renewBefore: Duration.hours(25) } - as in Linkerd's guide
   */
  readonly identityIssuer?: Validity;

  /**
   * The CA of the webhooks' serving certificates, a separate chain. `renewBefore` must be at least the `duration` of
   * `webhooks`.
   *
   * @default { duration: Duration.days(365), renewBefore: Duration.days(30) }
   */
  readonly webhookIssuer?: Validity;

  /**
   * The webhooks' serving certificates.
   *
   * @default { duration: Duration.days(7), renewBefore: Duration.days(2) }
   */
  readonly webhooks?: Validity;

  /**
   * Namespace of Linkerd's control plane. This construct creates it, unless another one does.
   *
   * @default 'linkerd'
   */
  readonly controlPlaneNamespace?: string;

  /**
   * DNS domain of the cluster's services.
   *
   * @default - the Cluster's, else 'cluster.local'
   */
  readonly clusterDomain?: string;

  /**
   * Domain of the mesh's identities. Clusters that share an anchor have the same, or one each: docs/multicluster.md.
   *
   * @default - clusterDomain
   */
  readonly trustDomain?: string;

  /**
   * Lifetime of proxies' certificates.
   *
   * @default Duration.hours(24) - as in Linkerd's chart
   */
  readonly issuanceLifetime?: DurationLike;

  /**
   * Allowed difference between proxies' clocks: added to both ends of their certificates' lifetime.
   *
   * @default Duration.seconds(20) - as in Linkerd's chart
   */
  readonly clockSkewAllowance?: DurationLike;

  /**
   * Alerts on expiry and overdue renewals, as a PrometheusRule, by default in cert-manager's namespace.
   *
   * @default - none; with a warning if cert-manager issues the anchor, or its roots are PEM certificates
   */
  readonly alerts?: Partial<Alerting>;
}

/** The certificates of a mesh, issued by this library's objects or not. */
export const ANY_PKI = part('a CertManagerPKI', 'trustRoots', 'webhookCertificate');

/** The certificates of a mesh. */
export const PKI = part('a CertManagerPKI', 'trustRoots', 'webhookCertificate', 'identityIssuerSecretName');

/** The keys of CertManagerPKIProps. */
export const PKI_PROPS = keysOf<CertManagerPKIProps>({
  certManager: required(CERT_MANAGER),
  trustAnchor: trustAnchorKeys,
  identityIssuer: VALIDITY,
  webhookIssuer: VALIDITY,
  webhooks: VALIDITY,
  controlPlaneNamespace: true,
  clusterDomain: true,
  trustDomain: true,
  issuanceLifetime: DURATION,
  clockSkewAllowance: DURATION,
  acceptAnchorChange: true,
  alerts: ALERTING,
});

/**
 * The mesh's certificates, issued and renewed by cert-manager. Names and namespaces are those of Linkerd's guides
 * (linkerd.io: "Automatically Rotating Control Plane TLS Credentials", "… Webhook TLS Credentials").
 *
 * @example
 * const pki = new CertManagerPKI(home, 'pki', {
 *   certManager,
 *   trustAnchor: { duration: Duration.days(3650), renewBefore: Duration.days(365) },
 *   identityIssuer: { duration: Duration.hours(48), renewBefore: Duration.hours(25) },
 *   alerts: { namespace: 'monitoring' },
 * });
 */
export class CertManagerPKI extends Construct implements ICertManagerPKI {
  /**
   * Returns certificates that the cluster already has, with the names of Linkerd's guide; emits nothing. With
   * `trustAnchor`, a ReconcilerOperator rotates the anchor: the Secret `linkerd-trust-anchor` in cert-manager's
   * namespace, by which the ClusterIssuer `linkerd-identity-issuer` signs the Certificate of the same name. The
   * self-signed Issuer `linkerd-trust-root-issuer` in this namespace issues the next anchors, and a TrustBundle
   * collects them.
   *
   * @example
   * const pki = CertManagerPKI.fromExisting(home, 'pki', {
   *   certManager: CertManager.fromExisting(home, 'cert-manager'),
   *   trustAnchor: { duration: Duration.days(3650), renewBefore: Duration.days(365) },
   * });
   * const controlPlane = LinkerdControlPlane.fromExisting(home, 'linkerd', { pki });
   * const operator = new ReconcilerOperator(home, 'operator', { controlPlane });
   * const trustManager = TrustManager.fromExisting(home, 'trust-manager');
   * new TrustBundle(home, 'trust', { pki, trustManager });
   */
  static fromExisting(scope: Construct, id: string, props: ExistingCertManagerPKIProps): ICertManagerPKI {
    return new ExistingPKI(scope, id, props);
  }

  readonly certManager: ICertManager;
  /** @internal */
  readonly trustRoots: TrustRoots;
  readonly identityIssuer: ResolvedValidity;
  readonly webhookIssuer: ResolvedValidity;
  readonly webhooks: ResolvedValidity;
  readonly controlPlaneNamespace: string;
  readonly clusterDomain: string;
  readonly trustDomain: string;
  readonly issuanceLifetime: Duration;
  readonly clockSkewAllowance: Duration;
  /** Secret of the identity issuer in the control plane's namespace. */
  readonly identityIssuerSecretName = IDENTITY_ISSUER;

  private readonly givenAnchor: TrustAnchorSource;
  /** The rotation of an anchor without an operator, if `rotation` is not set. */
  private readonly otherRotation: 'manual' | undefined;
  private operator?: AnchorOperator;
  private readonly identity: IdentityChain;
  private readonly webhookChain: WebhookChain;
  private readonly webhookNamespaces = new Set<string>();
  private readonly certificates: WebhookCertificate[] = [];

  constructor(scope: Construct, id: string, props: CertManagerPKIProps) {
    super(scope, id);
    const given = propsOf<CertManagerPKIProps>(this, PKI_PROPS, props);
    const { certManager } = given;
    this.certManager = certManager;
    const anchor: TrustAnchorSource = given.trustAnchor ?? USUAL_ANCHOR;
    this.givenAnchor = isOwnAnchor(anchor) ? validityProp(this, 'trustAnchor', anchor, USUAL_ANCHOR) : anchor;
    // An anchor with only a validity has the default rotation, where cert-manager supports it.
    this.otherRotation = given.trustAnchor === undefined ? 'manual' : usualRotation(certManager.version);
    this.trustRoots = trustRootsOf(this.givenAnchor);
    const validity = (name: keyof typeof USUAL_VALIDITIES): ResolvedValidity =>
      validityProp(this, name, given[name] ?? USUAL_VALIDITIES[name], USUAL_VALIDITIES[name]);
    this.identityIssuer = validity('identityIssuer');
    this.webhookIssuer = validity('webhookIssuer');
    this.webhooks = validity('webhooks');
    this.controlPlaneNamespace = propOfName(this, 'controlPlaneNamespace', given.controlPlaneNamespace) ?? 'linkerd';
    this.clusterDomain = given.clusterDomain ?? clusterDomainOf(this);
    this.trustDomain = given.trustDomain ?? this.clusterDomain;
    const lifetime = { field: 'issuanceLifetime', value: given.issuanceLifetime, instead: Duration.hours(24) };
    this.issuanceLifetime = propOfClass(this, 'Duration', lifetime);
    const skew = { field: 'clockSkewAllowance', value: given.clockSkewAllowance, instead: Duration.seconds(20) };
    this.clockSkewAllowance = propOfClass(this, 'Duration', skew);
    this.webhookNamespaces.add(this.controlPlaneNamespace);

    const omissions = omissionsIn(givenValidities(given));
    setHomeNamespace(this, certManager.namespace);
    dependsOn(this, certManager);
    ensureNamespace(this, this.controlPlaneNamespace);
    this.identity = new IdentityChain(this, 'identity', {
      certManager,
      pki: this,
      accepted: [given.acceptAnchorChange].flat().filter((text) => typeof text === 'string'),
      operator: () => this.rotatedBy(),
    });
    this.webhookChain = new WebhookChain(this, 'webhooks', { certManager, pki: this });
    new IssuerAdmissionPolicy(this, 'admission', {
      namespacesOf: () => this.issuerNamespaces(),
      anchorNamespace: () => (this.isOperated() ? certManager.namespace : undefined),
      certified: () => this.certified(),
    });
    if (given.alerts !== undefined) this.addAlerts(given.alerts);

    addRule(this, () => [
      ...pkiWarnings(this, certManager, given.alerts !== undefined),
      ...checkPki(this, certManager.version, omissions),
      ...checkOperated(this.trustAnchor, this.operator),
      ...checkOperatedLate(this.identity.builtFor, this.trustAnchor),
      ...checkClusterDomain(this.clusterDomain, Cluster.find(this)?.domain),
    ]);
  }

  /**
   * The root of trust of all proxies. Without `rotation`, read it at synth: a ReconcilerOperator may be added until
   * then.
   */
  get trustAnchor(): TrustAnchorSource {
    const { givenAnchor } = this;
    return isOwnAnchor(givenAnchor)
      ? ({ ...givenAnchor, rotation: this.anchorRotation } as OwnTrustAnchor)
      : givenAnchor;
  }

  private get anchorRotation(): AnchorRotation | undefined {
    const { givenAnchor, operator } = this;
    if (!isOwnAnchor(givenAnchor)) return undefined;
    const isForOperator = operator?.seesAllPods === true || givenAnchor.operator !== undefined;
    return givenAnchor.rotation ?? (isForOperator ? 'operator' : this.otherRotation);
  }

  /**
   * Registers the operator of the cluster, and returns whether it rotates the anchor.
   *
   * @internal
   */
  offerOperator(operator: AnchorOperator): boolean {
    this.operator ??= operator;
    return this.isOperated();
  }

  /**
   * Returns the operator that rotates the anchor, if any. Complete when the tree is prepared.
   *
   * @internal
   */
  rotatedBy(): AnchorOperator | undefined {
    return this.isOperated() ? this.operator : undefined;
  }

  private certified() {
    const namespace = this.rotatedBy()?.namespace;
    const clusters = certifiedClusters(this.trustAnchor);
    if (namespace === undefined || clusters.length === 0) return undefined;
    return { clusters, by: `system:serviceaccount:${namespace}:${FIELD_MANAGER}` };
  }

  private isOperated(): boolean {
    return this.anchorRotation === 'operator';
  }

  /**
   * Adds the certificate of the webhook that `service` serves in `namespace`, below `scope`.
   *
   * @internal
   */
  webhookCertificate(scope: Construct, id: string, props: WebhookCertificateProps): WebhookCertificate {
    this.webhookNamespaces.add(props.namespace);
    const certificate = new WebhookCertificate(scope, id, { ...props, signer: this.webhookChain.signer });
    dependsOn(certificate, this.webhookChain);
    this.certificates.push(certificate);
    return certificate;
  }

  /**
   * The certificates of webhooks so far, in the order in which they were requested. Complete at synth.
   *
   * @internal
   */
  get webhookCertificates(): readonly WebhookCertificate[] {
    return [...this.certificates];
  }

  private issuerNamespaces(): Record<string, readonly string[]> {
    return {
      ...(this.givenAnchor.from !== 'issuer' && { [IDENTITY_ISSUER]: [this.controlPlaneNamespace] }),
      [WEBHOOK_ISSUER]: [...this.webhookNamespaces].sort(),
    };
  }

  private addAlerts({ namespace, labels, runbooks }: Partial<Alerting>): void {
    new CertificateAlerts(this, 'alerts', {
      namespace: namespace ?? this.certManager.namespace,
      labels,
      runbooks,
      windows: () => ({
        ...windowsOf(this),
        rotation: this.anchorRotation,
        signsBridges: isSignedByUser(this.givenAnchor),
        anchorName: isOwnAnchor(this.givenAnchor) ? anchorName(generationOf(this.givenAnchor)) : undefined,
        pemAnchors: this.trustRoots.from === 'pem' ? this.trustRoots.parsed.anchors : [],
      }),
    });
  }
}

function givenValidities({ trustAnchor, identityIssuer, webhookIssuer, webhooks }: Read<CertManagerPKIProps>) {
  const anchor = trustAnchor !== undefined && isOwnAnchor(trustAnchor) ? trustAnchor : undefined;
  return { trustAnchor: anchor, identityIssuer, webhookIssuer, webhooks };
}
