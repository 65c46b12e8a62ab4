import { type ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { Certificate, ClusterIssuer, Issuer } from '#imports/crds/cert-manager.io';
import { keepOnPrune } from '#kubernetes/objects/argocd-annotations';
import { checkGoDuration, type DurationLike, goDuration } from '#kubernetes/options/duration-like';
import { manifest } from '../../gitops/tree/manifest';
import type { Validity } from './validity';

type CertificateSpec = NonNullable<Certificate['spec']>;

type CertificatePurpose = 'root' | 'intermediate' | 'server';

/** The settings in which the mesh's certificates differ. */
export interface CertificateRequest {
  readonly purpose: CertificatePurpose;
  readonly secretName: string;
  readonly issuerRef: CertificateSpec['issuerRef'];
  readonly validity: Validity;
  readonly commonName?: string;
  readonly dnsNames?: readonly string[];
  /** Additional labels of the Secret. */
  readonly secretLabels?: Readonly<Record<string, string>>;
  /** Allow renewal only by an administrator. */
  readonly manualRenewal?: boolean;
}

const USAGES: Readonly<Record<CertificatePurpose, NonNullable<CertificateSpec['usages']>>> = {
  root: ['cert sign', 'crl sign'],
  // As in Linkerd's guide: the identity controller also serves with it.
  intermediate: ['cert sign', 'crl sign', 'server auth', 'client auth'],
  server: ['server auth'],
};

/**
 * Renders a Certificate's spec. Sets each field whose default depends on cert-manager's version (rotationPolicy changed
 * in 1.18), or does not suit Linkerd (RSA keys; CAs without `crl sign`).
 *
 * Changing these values for a trust anchor rotates the anchors of all existing meshes: cert-manager reissues every
 * certificate that does not match its spec, except for secretTemplate, renewBefore, renewal, rotationPolicy and
 * revisionHistoryLimit.
 */
export function certificateSpec(request: CertificateRequest): CertificateSpec {
  const { purpose, commonName, dnsNames } = request;
  return {
    secretName: request.secretName,
    secretTemplate: { labels: { 'app.kubernetes.io/part-of': 'Linkerd', ...request.secretLabels } },
    duration: goText(request.validity.duration),
    renewBefore: goText(request.validity.renewBefore),
    ...(request.manualRenewal === true && { renewal: { policy: 'Disabled' } }),
    issuerRef: request.issuerRef,
    ...(commonName !== undefined && { commonName }),
    ...(dnsNames !== undefined && { dnsNames: [...dnsNames] }),
    isCA: purpose !== 'server',
    usages: [...USAGES[purpose]],
    privateKey: {
      algorithm: 'ECDSA',
      size: 256,
      // As in Linkerd's guides: the policy controller's webhook needs PKCS8, other webhooks accept any encoding.
      encoding: purpose === 'server' ? 'PKCS8' : 'PKCS1',
      rotationPolicy: 'Always',
    },
    // Before 1.18 cert-manager kept a CertificateRequest per renewal forever: one a day for the identity issuer.
    revisionHistoryLimit: 3,
  };
}

/** The longest common name that X.509 (RFC 5280, ub-common-name), and therefore cert-manager's webhook, accepts. */
export const MAX_COMMON_NAME = 64;

/**
 * Returns Go's duration string, computed when the object is emitted; empty for a duration that Go cannot represent,
 * which rules report before.
 */
export function goText(duration: DurationLike): string {
  return Lazy.any({ produce: () => (checkGoDuration('', duration).length > 0 ? '' : goDuration(duration)) });
}

interface SelfSignedRootProps {
  /** Namespace of cert-manager, in which ClusterIssuers look for Secrets. */
  readonly namespace: string;
  /** Name of the Certificate and of its Secret. */
  readonly name: string;
  readonly issuerName: string;
  readonly commonName: string;
  readonly validity: Validity;
  readonly secretLabels?: Readonly<Record<string, string>>;
  readonly manualRenewal?: boolean;
  /** Keep the Certificate when its manifest is removed from Git. */
  readonly keep?: boolean;
}

/** A self-signed CA of cert-manager: an Issuer, in cert-manager's namespace only, and the Certificate. */
export class SelfSignedRoot extends Construct {
  constructor(scope: Construct, id: string, props: SelfSignedRootProps) {
    super(scope, id);
    const { namespace, name, issuerName } = props;
    selfSignedIssuer(this, issuerName, namespace);
    manifest(this, 'certificate', {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name, namespace, ...(props.keep === true && { annotations: keepOnPrune() }) },
      spec: certificateSpec({
        purpose: 'root',
        secretName: name,
        issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: issuerName },
        validity: props.validity,
        commonName: props.commonName,
        secretLabels: props.secretLabels,
        manualRenewal: props.manualRenewal,
      }),
    } satisfies Certificate);
  }
}

/** Returns an Issuer whose certificates sign themselves. */
export function selfSignedIssuer(scope: Construct, name: string, namespace: string): ApiObject {
  return manifest(scope, 'issuer', {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Issuer',
    metadata: { name, namespace },
    spec: { selfSigned: {} },
  } satisfies Issuer);
}

/** Returns a ClusterIssuer that signs with the CA in a Secret of cert-manager's namespace. */
export function caClusterIssuer(
  scope: Construct,
  name: string,
  secretName: string,
  annotations?: Readonly<Record<string, string>>,
): ApiObject {
  return manifest(scope, 'cluster-issuer', {
    apiVersion: 'cert-manager.io/v1',
    kind: 'ClusterIssuer',
    metadata: { name, ...(annotations !== undefined && { annotations }) },
    spec: { ca: { secretName } },
  } satisfies ClusterIssuer);
}
