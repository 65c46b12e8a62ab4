import { DAY, MINUTE } from '#base/time-units';
import type { KeyPair } from '../cluster/certificates';
import { pem, pemBlocks } from '../cluster/pem';
import { signCertificate } from '../cluster/sign-certificate';
import { basicConstraints, keyUsage } from '../cluster/x509-extensions';
import { readSigningRequest } from './cert-manager/signing-request';

/** Options of the certificate that a CA signs. */
interface Signing {
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** @default - those of a CA */
  readonly extensions?: readonly Buffer[];
}

/** Signs a PEM request for a bridge with a CA's key. The bridge ends just before a CA of `issueCertificate` does. */
export function signedBridge(request: string, { cert, key }: KeyPair, signing: Signing = {}): string {
  const { subject, publicKey } = readSigningRequest(request);
  const { extensions = [keyUsage(['cert sign', 'crl sign']), basicConstraints(true)] } = signing;
  const { notBefore = new Date(Date.now() - MINUTE), notAfter = new Date(Date.now() + DAY - 10 * MINUTE) } = signing;
  const [signer = Buffer.alloc(0)] = pemBlocks(cert);
  const template = { subject, publicKey, ca: true, notBefore, notAfter, extensions };
  return pem('CERTIFICATE', signCertificate(template, { cert: signer, key }));
}
