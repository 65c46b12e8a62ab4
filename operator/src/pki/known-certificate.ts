import { createHash, createPublicKey, type X509Certificate } from 'node:crypto';
import { type AnchorKey, type CaCertificate, UNKNOWN_SIGNER } from '#anchor/chain';
import { oneLine, pemCertificates, readCertificate } from '#base/certificates';
import { certificateFields, type RequestFields, requestFields } from './certificate-fields';

/** A parsed certificate, and its identity. */
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
  readonly permits?: readonly string[];
  readonly limitsUris?: true;
  /** SHA-256 of its public key, in hex. */
  readonly publicKey: string;
}

/** Maximum number of certificates to read from a text: bundles of public CAs have some 150. */
const MAX_CERTIFICATES = 512;

const MAX_REMEMBERED = 2_048;

const remembered = new Map<string, KnownCertificate | undefined>();

/** Returns the certificates of a string, in order; invalid ones are left out. */
export function knownCertificates(text: string): readonly KnownCertificate[] {
  return pemCertificates(text)
    .slice(0, MAX_CERTIFICATES)
    .flatMap((pem) => knownCertificate(pem) ?? []);
}

/** Parses a PEM block only once, because each observation contains the same few blocks. */
function knownCertificate(pem: string): KnownCertificate | undefined {
  if (!remembered.has(pem)) {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(pem, read(pem));
  }
  return remembered.get(pem);
}

function read(pem: string): KnownCertificate | undefined {
  const x509 = readCertificate(pem);
  const fields = x509 && certificateFields(x509.raw);
  if (x509 === undefined || fields === undefined) return undefined;
  const { subject, publicKey, pathLength, constrained, permits, limitsUris } = fields;
  return {
    x509,
    key: keyOf({ subject, publicKey }),
    publicKey: sha256(publicKey),
    pem: `${pem}\n`,
    subject: oneLine(x509.subject ?? ''),
    notBefore: x509.validFromDate.getTime(),
    notAfter: x509.validToDate.getTime(),
    ...(pathLength !== undefined && { pathLength }),
    ...(constrained && { constrained }),
    ...(permits && { permits }),
    ...(limitsUris && { limitsUris }),
  };
}

function keyOf({ subject, publicKey }: Pick<RequestFields, 'subject' | 'publicKey'>): AnchorKey {
  return createHash('sha256').update(publicKey).update(subject).digest('hex');
}

/** Returns the hash of some bytes, in hex. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A parsed certificate signing request. */
export interface KnownRequest {
  readonly key: AnchorKey;
  /** SHA-256 of its public key, in hex. */
  readonly publicKey: string;
  readonly pem: string;
  /** The key is ECDSA P-256, or RSA with 2048 or 4096 bits: proxies accept no others. */
  readonly isKeySupported: boolean;
  /** The DNS domains of its critical name constraint; absent for any other constraint. */
  readonly permits?: readonly string[];
  readonly limitsUris?: true;
}

/** Reads the first certificate signing request of a PEM string; undefined if there is none, or it is invalid. */
export function knownRequest(text: string): KnownRequest | undefined {
  const [, pem, base64 = ''] =
    /(-----BEGIN CERTIFICATE REQUEST-----([^-]*)-----END CERTIFICATE REQUEST-----)/.exec(text) ?? [];
  const fields = pem === undefined ? undefined : requestFields(Buffer.from(base64, 'base64'));
  if (pem === undefined || fields === undefined) return undefined;
  const { publicKey, permits, limitsUris } = fields;
  return {
    key: keyOf(fields),
    publicKey: sha256(publicKey),
    pem: `${pem}\n`,
    isKeySupported: isKeySupported(publicKey),
    ...(permits && { permits }),
    ...(limitsUris && { limitsUris }),
  };
}

function isKeySupported(publicKey: Buffer): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
      key: publicKey,
      type: 'spki',
      format: 'der',
    });
    const { namedCurve, modulusLength = 0 } = asymmetricKeyDetails ?? {};
    return asymmetricKeyType === 'ec'
      ? namedCurve === 'prime256v1'
      : asymmetricKeyType === 'rsa' && [2048, 4096].includes(modulusLength);
  } catch {
    return false;
  }
}

/** Finds the signer of a certificate by its signature, among known ones; undefined if none of them signed it. */
export function signerOf({ x509 }: KnownCertificate, known: Iterable<KnownCertificate>): AnchorKey | undefined {
  for (const candidate of known) {
    if (isSignedBy(x509, candidate.x509)) return candidate.key;
  }
  return undefined;
}

/** Whether one certificate signed another, by the signed one. Cached, because checks of signatures are slow. */
const verified = new WeakMap<X509Certificate, WeakMap<X509Certificate, boolean>>();

function isSignedBy(x509: X509Certificate, signer: X509Certificate): boolean {
  const bySigner = verified.get(x509) ?? new WeakMap<X509Certificate, boolean>();
  verified.set(x509, bySigner);
  const known = bySigner.get(signer);
  if (known !== undefined) return known;
  const isSigned = verifySignature(x509, signer);
  bySigner.set(signer, isSigned);
  return isSigned;
}

/** Whether one certificate signed another. */
export function verifySignature(x509: X509Certificate, signer: X509Certificate): boolean {
  try {
    return signer.ca && x509.checkIssued(signer) && x509.verify(signer.publicKey);
  } catch {
    // The key has an unknown algorithm.
    return false;
  }
}

/** Returns a CA certificate as seen by a rotation. An unknown signer matches no key. */
export function caCertificate(certificate: KnownCertificate, known: Iterable<KnownCertificate>): CaCertificate {
  const { x509, key, notBefore, notAfter, pathLength, constrained, permits, limitsUris } = certificate;
  const signer = signerOf(certificate, [certificate, ...known]) ?? `${UNKNOWN_SIGNER}${key}`;
  return {
    key,
    signer,
    notBefore,
    notAfter,
    ...(pathLength !== undefined && { pathLength }),
    ...(constrained && { constrained }),
    ...(permits && { permits }),
    ...(limitsUris && { limitsUris }),
    ...((!x509.ca || !isForBothSides(x509.keyUsage)) && { unusable: true }),
  };
}

/** The purposes for both sides of TLS, and for any (RFC 5280, section 4.2.1.12). */
const [SERVER, CLIENT, ANY] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2', '2.5.29.37.0'];

/** Whether the purposes of a CA (Node: key usages) allow both sides of TLS. Without purposes, all are allowed. */
export function isForBothSides(purposes: readonly string[] | undefined): boolean {
  return purposes === undefined || purposes.includes(ANY) || [SERVER, CLIENT].every((one) => purposes.includes(one));
}

/** Returns the self-signed certificate of a key; of several, the longest-lived one. */
export function longestRoot(key: AnchorKey, known: readonly KnownCertificate[]): KnownCertificate | undefined {
  const rank = ({ x509, notAfter }: KnownCertificate): number =>
    x509.checkIssued(x509) ? notAfter : notAfter - Number.MAX_SAFE_INTEGER / 2;
  return known.filter((one) => one.key === key).toSorted((a, b) => rank(b) - rank(a))[0];
}
