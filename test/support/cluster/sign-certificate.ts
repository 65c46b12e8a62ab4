import { createHash, createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import * as der from './der';
import { readCertificate } from './read-certificate';
import { AUTHORITY_KEY_IDENTIFIER, extension, SUBJECT_KEY_IDENTIFIER } from './x509-extensions';

/** A certificate without its signer; `Buffer`s are DER. */
export interface CertificateTemplate {
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly ca: boolean;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** All extensions except the key identifiers. */
  readonly extensions: readonly Buffer[];
}

/** A signer: its key as PEM, and its certificate as DER, which is missing for a self-signed certificate. */
export interface Signer {
  readonly cert?: Buffer;
  readonly key: string;
}

/**
 * Signs a certificate, and returns DER. It adds key identifiers as Go's x509.CreateCertificate does, which cert-manager
 * and Linkerd use. A CA gets a subject key identifier, and a certificate with another name than its signer gets the
 * signer's as authority key identifier.
 */
export function signCertificate(template: CertificateTemplate, signer: Signer): Buffer {
  const issuer = signer.cert && readCertificate(signer.cert);
  const key = createPrivateKey(signer.key);
  const algorithm = signatureAlgorithm(key);
  const issuerName = issuer?.subject ?? template.subject;
  const authority = issuerName.equals(template.subject) ? undefined : issuer?.keyIdentifier;
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(randomBytes(16)),
    algorithm,
    issuerName,
    der.sequence(der.time(template.notBefore), der.time(template.notAfter)),
    template.subject,
    template.publicKey,
    der.explicit(
      3,
      der.sequence(
        ...template.extensions,
        ...(template.ca ? [extension(SUBJECT_KEY_IDENTIFIER, der.octetString(keyIdentifier(template.publicKey)))] : []),
        ...(authority ? [extension(AUTHORITY_KEY_IDENTIFIER, der.sequence(der.implicit(0, authority)))] : []),
      ),
    ),
  );
  return der.sequence(body, algorithm, der.bitString(signatureOf(body, key)));
}

/** Signs with the algorithm of {@link signatureAlgorithm}. */
export function signatureOf(content: Buffer, key: KeyObject): Buffer {
  return sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', content, key);
}

/** The signature algorithm of a key, as a DER element. */
export function signatureAlgorithm(key: KeyObject): Buffer {
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return der.sequence(der.identifier('1.3.101.112'));
    case 'rsa':
      return der.sequence(der.identifier('1.2.840.113549.1.1.11'), der.element(0x05));
    default:
      return der.sequence(der.identifier('1.2.840.10045.4.3.2'));
  }
}

/** The key identifier that Go 1.25 computes: RFC 7093, section 2, method 1. */
function keyIdentifier(publicKey: Buffer): Buffer {
  const bits = der.contentOf(der.elementAt(publicKey, 1)).subarray(1);
  return createHash('sha256').update(bits).digest().subarray(0, 20);
}
