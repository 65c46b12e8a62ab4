import type { ObservedCertification } from '#anchor/observed';
import { anchorNames, type CertifiedCluster, certificationName } from '#anchor/trust-anchor';
import { conditionOf } from '#base/conditions';
import type { Certificate, CertificateRequest, Issuer } from '../../pki/cert-manager';
import { caCertificate, type KnownCertificate, knownCertificates, knownRequest } from '../../pki/known-certificate';
import { generationOf } from './observe-anchors';

interface CertificationSources {
  readonly certifies: readonly CertifiedCluster[];
  /** The requests in cert-manager's namespace. */
  readonly requests: readonly CertificateRequest[];
  readonly named: readonly (Certificate | Issuer)[];
  readonly known: readonly KnownCertificate[];
}

/** Returns the certificates that were requested for the anchors of other clusters. */
export function observeCertifications(sources: CertificationSources): readonly ObservedCertification[] {
  return sources.certifies.flatMap(({ cluster }) => {
    const request = certificationOf(cluster, sources.requests);
    return request === undefined ? [] : [observed(cluster, request, sources)];
  });
}

/** Returns the request for the certificate of another cluster's anchor. */
export function certificationOf(
  cluster: string,
  requests: readonly CertificateRequest[],
): CertificateRequest | undefined {
  return requests.find(({ metadata }) => metadata.name === certificationName(cluster));
}

/** Returns the certificate that was issued for another cluster's anchor, PEM, without the CAs above it. */
export function certificationPem(request: CertificateRequest): string {
  return certified(request)?.pem ?? '';
}

function certified({ status }: CertificateRequest): KnownCertificate | undefined {
  return knownCertificates(Buffer.from(status?.certificate ?? '', 'base64').toString())[0];
}

function observed(
  cluster: string,
  request: CertificateRequest,
  { named, known }: CertificationSources,
): ObservedCertification {
  const { spec, metadata } = request;
  const { name = '', kind = 'Issuer', group = 'cert-manager.io' } = spec?.issuerRef ?? {};
  const isAnchor = kind === 'Issuer' && group === 'cert-manager.io' && anchorNames().includes(name);
  const issuer = isAnchor ? named.find((one) => one.metadata.name === name) : undefined;
  const certificate = certified(request);
  return {
    cluster,
    key: knownRequest(Buffer.from(spec?.request ?? '', 'base64').toString())?.key ?? '',
    ...(issuer !== undefined && { generation: generationOf(issuer) }),
    state: stateOf(request),
    since: Date.parse(metadata.creationTimestamp ?? '') || 0,
    ...(certificate !== undefined && { certificate: caCertificate(certificate, known) }),
  };
}

function stateOf(request: CertificateRequest): ObservedCertification['state'] {
  const ready = conditionOf(request.status, 'Ready');
  if (ready?.status === 'True') return 'issued';
  const isDenied = conditionOf(request.status, 'Denied')?.status === 'True';
  return isDenied || ready?.reason === 'Failed' ? 'failed' : 'issuing';
}
