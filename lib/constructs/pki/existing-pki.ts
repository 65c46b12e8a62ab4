import { Duration } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { ANCHOR, IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { checkDnsLabel } from '#kubernetes/names';
import type { DurationLike } from '#kubernetes/options/duration-like';
import { DURATION, keysOf, required } from '#kubernetes/options/known-keys';
import { addRule } from '../../gitops/tree/add-rule';
import { Cluster, clusterDomainOf } from '../../gitops/tree/cluster';
import { dependsOn } from '../../gitops/tree/order';
import { propOfClass, propOfName, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { type AnchorOperator, checkOperated } from './anchor-rotation';
import { CERT_MANAGER, type ICertManager } from './cert-manager';
import { OPERATOR_ROTATION, type OperatorRotation } from './operator-rotation';
import { checkClusterDomain, checkPki, type PkiSettings, pkiWarnings } from './pki-rules';
import { TrustAnchor, type TrustAnchorSource } from './trust-anchor';
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
import { OwnWebhookChain, WebhookCertificate, type WebhookCertificateProps } from './webhook-certificate';

/** The certificates of a mesh: a CertManagerPKI, or certificates that the cluster already has. */
export interface ICertManagerPKI extends IConstruct {
  /** The cert-manager that issues them. */
  readonly certManager: ICertManager;
  /** Namespace of Linkerd's control plane. */
  readonly controlPlaneNamespace: string;
  /** DNS domain of the cluster's services. */
  readonly clusterDomain: string;
  /** Domain of the mesh's identities. */
  readonly trustDomain: string;
  /** Lifetime of proxies' certificates. */
  readonly issuanceLifetime: Duration;
  /** Allowed difference between proxies' clocks. */
  readonly clockSkewAllowance: Duration;
  /** The root of trust of all proxies. */
  readonly trustAnchor: TrustAnchorSource;
  /** @internal */
  readonly trustRoots: TrustRoots;
  /** @internal */
  offerOperator(operator: AnchorOperator): boolean;
  /** @internal */
  rotatedBy(): AnchorOperator | undefined;
  /** @internal */
  webhookCertificate(scope: Construct, id: string, props: WebhookCertificateProps): WebhookCertificate;
}

/** How the operator rotates an anchor that the cluster already has. */
export interface ExistingAnchor extends Validity {
  /**
   * Options of the rotation.
   *
   * @default - the default of each option
   */
  readonly operator?: OperatorRotation;
}

/** Certificates that the cluster already has, with the names of Linkerd's guide. */
export interface ExistingCertManagerPKIProps {
  /** The cert-manager that issues them. */
  readonly certManager: ICertManager;

  /**
   * Let a ReconcilerOperator rotate the trust anchor: the validity of the anchors that follow the current one, and how
   * long before its expiry each anchor is replaced.
   *
   * @default - the operator does not rotate the anchor
   */
  readonly trustAnchor?: ExistingAnchor;

  /**
   * Validity of the Certificate of the identity issuer.
   *
   * @default { duration: Duration.hours(48), renewBefore: Duration.hours(25) } - as in Linkerd's guide
   */
  readonly identityIssuer?: Validity;

  /**
   * Namespace of Linkerd's control plane.
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
   * Domain of the mesh's identities: `identityTrustDomain` of the installed chart.
   *
   * @default - clusterDomain
   */
  readonly trustDomain?: string;

  /**
   * Lifetime of proxies' certificates: `identity.issuer.issuanceLifetime` of the installed chart.
   *
   * @default Duration.hours(24) - as in Linkerd's chart
   */
  readonly issuanceLifetime?: DurationLike;

  /**
   * Allowed difference between proxies' clocks: `identity.issuer.clockSkewAllowance` of the installed chart.
   *
   * @default Duration.seconds(20) - as in Linkerd's chart
   */
  readonly clockSkewAllowance?: DurationLike;
}

const PROPS = keysOf<ExistingCertManagerPKIProps>({
  certManager: required(CERT_MANAGER),
  trustAnchor: keysOf<ExistingAnchor>({ duration: DURATION, renewBefore: DURATION, operator: OPERATOR_ROTATION }),
  identityIssuer: VALIDITY,
  controlPlaneNamespace: true,
  clusterDomain: true,
  trustDomain: true,
  issuanceLifetime: DURATION,
  clockSkewAllowance: DURATION,
});

/** The certificates of `CertManagerPKI.fromExisting`. */
export class ExistingPKI extends Construct implements ICertManagerPKI, PkiSettings {
  readonly certManager: ICertManager;
  readonly controlPlaneNamespace: string;
  readonly clusterDomain: string;
  readonly trustDomain: string;
  readonly issuanceLifetime: Duration;
  readonly clockSkewAllowance: Duration;
  readonly trustAnchor: TrustAnchorSource;
  readonly trustRoots: TrustRoots;
  readonly identityIssuer: ResolvedValidity;
  readonly webhookIssuer = USUAL_VALIDITIES.webhookIssuer;
  readonly webhooks = USUAL_VALIDITIES.webhooks;
  private readonly isOperated: boolean;
  private operator?: AnchorOperator;

  constructor(scope: Construct, id: string, props: ExistingCertManagerPKIProps) {
    super(scope, id);
    const given = propsOf<ExistingCertManagerPKIProps>(this, PROPS, props);
    const { certManager, trustAnchor } = given;
    const duration = (field: 'issuanceLifetime' | 'clockSkewAllowance', instead: Duration) =>
      propOfClass(this, 'Duration', { field, value: given[field], instead });
    this.certManager = certManager;
    this.controlPlaneNamespace = propOfName(this, 'controlPlaneNamespace', given.controlPlaneNamespace) ?? 'linkerd';
    this.clusterDomain = given.clusterDomain ?? clusterDomainOf(this);
    this.trustDomain = given.trustDomain ?? this.clusterDomain;
    this.issuanceLifetime = duration('issuanceLifetime', Duration.hours(24));
    this.clockSkewAllowance = duration('clockSkewAllowance', Duration.seconds(20));
    const { identityIssuer } = USUAL_VALIDITIES;
    this.identityIssuer = validityProp(this, 'identityIssuer', given.identityIssuer ?? identityIssuer, identityIssuer);
    this.isOperated = trustAnchor !== undefined;
    this.trustAnchor =
      trustAnchor === undefined
        ? TrustAnchor.fromClusterIssuer({ name: IDENTITY_ISSUER, roots: { secretName: ANCHOR, key: 'tls.crt' } })
        : { ...validityProp(this, 'trustAnchor', trustAnchor, USUAL_ANCHOR), rotation: 'operator' };
    this.trustRoots = trustRootsOf(this.trustAnchor);
    declareReferences(this, { external: [{ kind: 'Namespace', name: this.controlPlaneNamespace }] });
    const omissions = omissionsIn({ trustAnchor, identityIssuer: given.identityIssuer });
    addRule(this, () => [
      ...(this.isOperated
        ? [...pkiWarnings(this, certManager, true), ...checkPki(this, certManager.version, omissions)]
        : checkDnsLabel('controlPlaneNamespace', this.controlPlaneNamespace)),
      ...checkOperated(this.trustAnchor, this.operator),
      ...checkClusterDomain(this.clusterDomain, Cluster.find(this)?.domain),
    ]);
  }

  offerOperator(operator: AnchorOperator): boolean {
    this.operator ??= operator;
    return this.isOperated;
  }

  rotatedBy(): AnchorOperator | undefined {
    return this.isOperated ? this.operator : undefined;
  }

  /** The issuers of the guide sign only in the control plane's namespace, so each webhook gets a separate CA. */
  webhookCertificate(scope: Construct, id: string, props: WebhookCertificateProps): WebhookCertificate {
    const chain = new OwnWebhookChain(scope, `${id}-chain`, { ...props, pki: this });
    const certificate = new WebhookCertificate(scope, id, { ...props, signer: chain.signer });
    dependsOn(certificate, chain);
    dependsOn(chain, this.certManager);
    return certificate;
  }
}
