import { createHash, type X509Certificate } from 'node:crypto';
import type { AnchorKey, CaCertificate } from '../../api/anchor/chain';
import { certificateFields } from './certificate-fields';
import { oneLine, pemCertificates, readCertificate } from './certificates';

/** A certificate that was read, and what it is known by. */
export interface KnownCertificate {
  readonly x509: X509Certificate;
  /** SHA-256 of public key and subject, in hex: equal for an anchor and its bridge. */
  readonly key: AnchorKey;
  /** Its own PEM block. */
  readonly pem: string;
  readonly subject: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly pathLength?: number;
  readonly constrained?: true;
}

/** The most certificates of one text that are read: bundles with the public CAs of the web have some 150. */
const MOST_CERTIFICATES = 512;

/** The most certificates that are remembered. */
const MOST_REMEMBERED = 2_048;

const remembered = new Map<string, KnownCertificate | undefined>();

/** The certificates of a text, in its order; those that cannot be read are left out. */
export function knownCertificates(text: string): readonly KnownCertificate[] {
  return pemCertificates(text)
    .slice(0, MOST_CERTIFICATES)
    .flatMap((pem) => knownCertificate(pem) ?? []);
}

/** Reads one PEM block, once: the same few come along with each look. */
function knownCertificate(pem: string): KnownCertificate | undefined {
  if (!remembered.has(pem)) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(pem, read(pem));
  }
  return remembered.get(pem);
}

function read(pem: string): KnownCertificate | undefined {
  const x509 = readCertificate(pem);
  const fields = x509 && certificateFields(x509.raw);
  if (x509 === undefined || fields === undefined) return undefined;
  const { subject, publicKey, pathLength, constrained } = fields;
  return {
    x509,
    key: createHash('sha256').update(publicKey).update(subject).digest('hex'),
    pem: `${pem}\n`,
    subject: oneLine(x509.subject ?? ''),
    notBefore: x509.validFromDate.getTime(),
    notAfter: x509.validToDate.getTime(),
    ...(pathLength !== undefined && { pathLength }),
    ...(constrained && { constrained }),
  };
}

/** Finds by its signature who signed a certificate, among those that are known; undefined where nobody of them did. */
export function signerOf({ x509 }: KnownCertificate, known: Iterable<KnownCertificate>): AnchorKey | undefined {
  for (const candidate of known) {
    if (isSignedBy(x509, candidate.x509)) return candidate.key;
  }
  return undefined;
}

function isSignedBy(x509: X509Certificate, signer: X509Certificate): boolean {
  try {
    return signer.ca && x509.checkIssued(signer) && x509.verify(signer.publicKey);
  } catch {
    // A key of an algorithm that is not known here.
    return false;
  }
}

/** A CA certificate as a rotation goes by it. Of one whose signer nobody knows, the signer is nobody's key. */
export function caCertificate(certificate: KnownCertificate, known: Iterable<KnownCertificate>): CaCertificate {
  const { key, notBefore, notAfter, pathLength, constrained } = certificate;
  const signer = signerOf(certificate, [certificate, ...known]) ?? `unknown:${key}`;
  return {
    key,
    signer,
    notBefore,
    notAfter,
    ...(pathLength !== undefined && { pathLength }),
    ...(constrained && { constrained }),
  };
}

/** Of the certificates of one key, the one that signs itself; of several, the one that lives longest. */
export function longestRoot(key: AnchorKey, known: readonly KnownCertificate[]): KnownCertificate | undefined {
  const rank = ({ x509, notAfter }: KnownCertificate): number =>
    x509.checkIssued(x509) ? notAfter : notAfter - Number.MAX_SAFE_INTEGER / 2;
  return known.filter((one) => one.key === key).toSorted((a, b) => rank(b) - rank(a))[0];
}
