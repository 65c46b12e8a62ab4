import { createHash, createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import * as der from './der';
import { readCertificate } from './read-certificate';
import { AUTHORITY_KEY_IDENTIFIER, extension, SUBJECT_KEY_IDENTIFIER } from './x509-extensions';

/** All of a certificate but who signs it; parts in ASN.1 as they are to stand in it. */
export interface CertificateTemplate {
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly ca: boolean;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** All but the identifiers of keys. */
  readonly extensions: readonly Buffer[];
}

/** The one who signs: a key, PEM, and the certificate that it belongs to (DER); none, for one that signs itself. */
export interface Signer {
  readonly cert?: Buffer;
  readonly key: string;
}

/**
 * Signs a certificate, DER. Identifiers of keys are as Go's x509.CreateCertificate makes them, which is what cert-manager
 * and Linkerd use: CAs get one of their own, and whoever has another name than its signer gets the signer's.
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

/** Signature as the algorithm of {@link signatureAlgorithm} makes it. */
export function signatureOf(content: Buffer, key: KeyObject): Buffer {
  return sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', content, key);
}

/** The algorithm that keys of a kind sign with here, as an element. */
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

/** As Go 1.25 computes it: RFC 7093, section 2, method 1. */
function keyIdentifier(publicKey: Buffer): Buffer {
  const bits = der.contentOf(der.elementAt(publicKey, 1)).subarray(1);
  return createHash('sha256').update(bits).digest().subarray(0, 20);
}
