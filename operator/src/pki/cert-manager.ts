import { certificationName, TRUST_ANCHOR_NAME } from '#anchor/trust-anchor';
import { conditionOf } from '#base/conditions';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import { CONFIG_GROUP } from '../../api/names';

const API_VERSION = 'cert-manager.io/v1';

/** The resource of cert-manager's Certificates. */
export const CERTIFICATES: Resource = {
  apiVersion: API_VERSION,
  kind: 'Certificate',
  plural: 'certificates',
  namespaced: true,
};

/** The resource of cert-manager's requests, one for each issuance of a Certificate. */
export const CERTIFICATE_REQUESTS: Resource = {
  apiVersion: API_VERSION,
  kind: 'CertificateRequest',
  plural: 'certificaterequests',
  namespaced: true,
};

/** The resource of cert-manager's namespaced issuers. */
export const ISSUERS: Resource = { apiVersion: API_VERSION, kind: 'Issuer', plural: 'issuers', namespaced: true };

/** The resource of cert-manager's cluster-wide issuers. */
export const CLUSTER_ISSUERS: Resource = {
  apiVersion: API_VERSION,
  kind: 'ClusterIssuer',
  plural: 'clusterissuers',
  namespaced: false,
};

interface CertManagerCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

/** A reference to an issuer. Without a group or a kind, it is an Issuer of cert-manager. */
export interface IssuerRef {
  readonly name?: string;
  readonly kind?: string;
  readonly group?: string;
}

/** The fields of a Certificate that are read. */
export interface Certificate extends KubeObject {
  readonly spec: {
    readonly secretName?: string;
    readonly secretTemplate?: { readonly labels?: Readonly<Record<string, string>> };
    readonly commonName?: string;
    readonly duration?: string;
    readonly privateKey?: { readonly algorithm?: string; readonly size?: number; readonly rotationPolicy?: string };
    readonly issuerRef?: IssuerRef;
    readonly renewal?: { readonly policy?: string };
  };
  readonly status?: {
    readonly revision?: number;
    readonly notBefore?: string;
    readonly notAfter?: string;
    readonly failedIssuanceAttempts?: number;
    readonly conditions?: readonly CertManagerCondition[];
  };
}

/** The fields of a CertificateRequest that are read. */
export interface CertificateRequest extends KubeObject {
  readonly spec?: {
    readonly issuerRef?: IssuerRef;
    /** Base64 of PEM. */
    readonly request?: string;
  };
  readonly status?: {
    /** Base64 of PEM: the certificate, and its intermediates up to the CA. */
    readonly certificate?: string;
    /** Base64 of PEM. */
    readonly ca?: string;
    readonly conditions?: readonly CertManagerCondition[];
  };
}

/** The fields of an Issuer or a ClusterIssuer that are read. */
export interface Issuer extends KubeObject {
  readonly spec: { readonly ca?: { readonly secretName?: string } };
}

/** Annotation with the Certificate of a request. */
export const CERTIFICATE_NAME = 'cert-manager.io/certificate-name';

/** The number of the issuance that a request was made for. */
export const CERTIFICATE_REVISION = 'cert-manager.io/certificate-revision';

/** Returns the state of a Certificate's issuance. */
export function issuanceState(certificate: Certificate): 'issuing' | 'issued' | 'failed' {
  const issuing = conditionOf(certificate.status, 'Issuing');
  if (issuing?.status === 'True') return 'issuing';
  const ready = conditionOf(certificate.status, 'Ready');
  const { generation } = certificate.metadata;
  if (ready?.status === 'True' && (ready.observedGeneration ?? generation) === generation) return 'issued';
  return (certificate.status?.failedIssuanceAttempts ?? 0) > 0 ? 'failed' : 'issuing';
}

/** Drops fields of a Certificate that are not read. */
export function slimCertificate(certificate: Certificate): Certificate {
  const { apiVersion, kind, metadata, spec = {}, status } = certificate;
  const { secretName, secretTemplate, commonName, duration, privateKey, issuerRef, renewal } = spec;
  const { revision, notBefore, notAfter, failedIssuanceAttempts, conditions } = status ?? {};
  return {
    apiVersion,
    kind,
    metadata,
    spec: { secretName, secretTemplate, commonName, duration, privateKey, issuerRef, renewal },
    status: { revision, notBefore, notAfter, failedIssuanceAttempts, conditions },
  };
}

/** Whether an issuer is the TrustAnchor, whose requests the operator answers. */
export function isTrustAnchorRef({ name, kind, group }: IssuerRef = {}): boolean {
  return group === CONFIG_GROUP && kind === 'TrustAnchor' && name === TRUST_ANCHOR_NAME;
}

/** Whether the operator answers a request, or has made it for another cluster. */
function isOperators({ metadata, spec }: CertificateRequest): boolean {
  return isTrustAnchorRef(spec?.issuerRef) || metadata.name.startsWith(certificationName(''));
}

/** Drops fields of a request that are not read: the requester, and signing requests to other issuers. */
export function slimRequest(request: CertificateRequest): CertificateRequest {
  const { apiVersion, kind, metadata, spec, status } = request;
  const { name, namespace, uid, resourceVersion, creationTimestamp, annotations } = metadata;
  const kept = [CERTIFICATE_NAME, CERTIFICATE_REVISION].flatMap((key) => {
    const value = annotations?.[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  const { certificate, ca, conditions } = status ?? {};
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      creationTimestamp,
      annotations: Object.fromEntries(kept),
      // Any client may name a Certificate in a request; only its controller reference cannot be faked.
      ownerReferences: metadata.ownerReferences?.filter(({ controller }) => controller),
    },
    ...(isOperators(request) && { spec: { issuerRef: spec?.issuerRef, request: spec?.request } }),
    status: { certificate, ca, conditions: conditions?.filter(({ type }) => type === 'Ready' || type === 'Denied') },
  };
}
