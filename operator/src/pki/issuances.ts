import {
  CERTIFICATE_NAME,
  CERTIFICATE_REVISION,
  type Certificate,
  type CertificateRequest,
  conditionOf,
} from './cert-manager';
import { type KnownCertificate, knownCertificates } from './known-certificate';

/** A certificate as cert-manager issued it: itself first, then what leads from it towards the CA; and that. */
interface Issuance {
  readonly chain: readonly KnownCertificate[];
  readonly ca: readonly KnownCertificate[];
}

/** The public parts of what is in Certificates' Secrets, by the requests for them. */
export interface Issuances {
  /** Returns what the Secret of a Certificate holds; undefined where no request for it is left. */
  of(certificate: Certificate): Issuance | undefined;
  /** All certificates that requests tell of. */
  readonly all: readonly KnownCertificate[];
}

/** The most characters of base64 that are read of one request: a chain of a few certificates has some thousands. */
const LONGEST = 65_536;

/** Reads requests. One that names a Certificate and does not belong to it is somebody else's. */
export function issuancesOf(requests: readonly CertificateRequest[]): Issuances {
  const issued = requests.flatMap((request) => {
    const { status } = request;
    if (conditionOf(request, 'Ready')?.status !== 'True' || status?.certificate === undefined) return [];
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
  if (base64 === undefined || base64.length > LONGEST) return [];
  return knownCertificates(Buffer.from(base64, 'base64').toString());
}
