import { conditionOf } from '#base/conditions';
import {
  CERTIFICATE_NAME,
  CERTIFICATE_REVISION,
  type Certificate,
  type CertificateRequest,
  isTrustAnchorRef,
} from './cert-manager';
import { type KnownCertificate, knownCertificates } from './known-certificate';

/** A certificate as cert-manager issued it: the certificate, then its intermediates towards the CA; and the CA. */
interface Issuance {
  readonly chain: readonly KnownCertificate[];
  readonly ca: readonly KnownCertificate[];
}

/** The public contents of Certificates' Secrets, from their requests. */
export interface Issuances {
  /** Returns the content of a Certificate's Secret; undefined if no request for it is left. */
  of(certificate: Certificate): Issuance | undefined;
  /** All certificates in requests. */
  readonly all: readonly KnownCertificate[];
}

/**
 * Returns the request for a Certificate's next issuance that the operator has to answer; undefined if there is none.
 * Ignores a denied request, because cert-manager ends its issuance.
 */
export function requestToAnswer(
  certificate: Certificate,
  requests: readonly CertificateRequest[],
): CertificateRequest | undefined {
  const revision = (certificate.status?.revision ?? 0) + 1;
  return requests.find(
    (request) =>
      isOf(request, certificate, revision) &&
      isTrustAnchorRef(request.spec?.issuerRef) &&
      conditionOf(request.status, 'Denied')?.status !== 'True' &&
      conditionOf(request.status, 'Ready')?.status !== 'True',
  );
}

/** Maximum number of base64 characters to read of one request: a chain of a few certificates has some thousands. */
const MAX_LENGTH = 65_536;

/** Reads requests. Ignores a request that names a Certificate without belonging to it. */
export function issuancesOf(requests: readonly CertificateRequest[]): Issuances {
  const issued = requests.flatMap((request) => {
    const { status } = request;
    if (conditionOf(request.status, 'Ready')?.status !== 'True' || status?.certificate === undefined) return [];
    return [{ request, issuance: { chain: decoded(status.certificate), ca: decoded(status.ca) } }];
  });
  return {
    of: (certificate) => {
      const { revision } = certificate.status ?? {};
      if (revision === undefined) return undefined;
      const found = issued.filter(({ request }) => isOf(request, certificate, revision));
      return found.find(({ issuance }) => issuance.chain.length > 0)?.issuance;
    },
    all: issued.flatMap(({ issuance: { chain, ca } }) => [...chain, ...ca]),
  };
}

function isOf({ metadata }: CertificateRequest, certificate: Certificate, revision: number): boolean {
  const { name, namespace, uid } = certificate.metadata;
  return (
    metadata.namespace === namespace &&
    metadata.annotations?.[CERTIFICATE_NAME] === name &&
    metadata.annotations?.[CERTIFICATE_REVISION] === `${revision}` &&
    metadata.ownerReferences?.some((owner) => owner.uid === uid) === true
  );
}

function decoded(base64: string | undefined): readonly KnownCertificate[] {
  if (base64 === undefined || base64.length > MAX_LENGTH) return [];
  return knownCertificates(Buffer.from(base64, 'base64').toString());
}
