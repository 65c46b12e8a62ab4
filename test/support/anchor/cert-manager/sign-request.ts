import * as der from '../../cluster/der';
import type { KubeObject } from '../../cluster/objects';
import { pem } from '../../cluster/pem';
import { readCertificate } from '../../cluster/read-certificate';
import { type CertificateTemplate, signCertificate } from '../../cluster/sign-certificate';
import {
  basicConstraints,
  extendedKeyUsage,
  extension,
  keyUsage,
  NAME_CONSTRAINTS,
  SUBJECT_ALT_NAME,
} from '../../cluster/x509-extensions';
import { type ChainAndRoot, certificatesOf, orderedChain } from './certificate-chain';
import { publicKeyOf, readPrivateKey } from './private-key';
import { decoded } from './resources';
import type { ScaledDuration } from './scaled-time';
import { readSigningRequest, usagesOf } from './signing-request';

const DEFAULT_DURATION = '2160h';

/** The certificate that a CertificateRequest asks for, unsigned (pkg/util/pki/certificatetemplate.go). */
export function templateOf({ spec }: KubeObject, duration: ScaledDuration): CertificateTemplate {
  const request = readSigningRequest(Buffer.from(spec.request, 'base64').toString('utf8'));
  const { plain, extended } = usagesOf(spec);
  const now = Date.now();
  const isNameless = der.children(request.subject).length === 0;
  return {
    subject: request.subject,
    publicKey: request.publicKey,
    ca: spec.isCA ?? false,
    notBefore: new Date(now),
    notAfter: new Date(now + duration(spec.duration ?? DEFAULT_DURATION)),
    extensions: [
      // Go writes no extension without a usage.
      ...(plain.length === 0 ? [] : [keyUsage(plain)]),
      ...(extended.length === 0 ? [] : [extendedKeyUsage(extended)]),
      // A Certificate of cert-manager has no field for a path length.
      basicConstraints(spec.isCA ?? false),
      ...(request.alternativeNames ? [extension(SUBJECT_ALT_NAME, request.alternativeNames, isNameless)] : []),
      ...(request.constraints ? [extension(NAME_CONSTRAINTS, request.constraints, true)] : []),
    ],
  };
}

/** Signs a certificate with its own key. @throws cert-manager's message, if the key differs */
export function selfSigned(template: CertificateTemplate, key: string): ChainAndRoot {
  checkKey(template.publicKey, key, 'Error generating certificate template: CSR not signed by referenced private key');
  const signed = pem('CERTIFICATE', signCertificate(template, { key }));
  return { chain: signed, root: signed };
}

/**
 * Signs a certificate with a CA's Secret. The first certificate in the Secret signs; the others and its `ca.crt` make
 * the chain (pkg/controller/certificaterequests/ca/ca.go). An expired signer signs, too.
 * @throws cert-manager's message, if certificate and key do not match, or the certificates form no chain
 */
export function signedByCa(template: CertificateTemplate, secret: KubeObject): ChainAndRoot {
  const [signer, ...above] = certificatesOf(decoded(secret, 'tls.crt'));
  const key = decoded(secret, 'tls.key');
  if (signer === undefined || key === undefined) throw new Error('Error signing certificate: no CA certificates given');
  const mismatch = "Error signing certificate: x509: provided PrivateKey doesn't match parent's PublicKey";
  checkKey(readCertificate(signer).publicKey, key, mismatch);
  const [root] = certificatesOf(decoded(secret, 'ca.crt'));
  const signed = signCertificate(template, { cert: signer, key });
  return orderedChain([signed, signer, ...above, ...(root ? [root] : [])]);
}

function checkKey(publicKey: Buffer, key: string, message: string): void {
  const own = readPrivateKey(key);
  if (own === undefined || !publicKeyOf(own).equals(publicKey)) throw new Error(message);
}
