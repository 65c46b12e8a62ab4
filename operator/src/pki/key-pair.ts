import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { pemCertificates } from '#base/certificates';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { errorText } from '#controller-runtime/telemetry/error-text';

/** The fields of a Secret that are read. The values are base64. */
export interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** A certificate in a Secret of type kubernetes.io/tls, with its intermediates. */
export interface KeyPair {
  /** SHA-256 of `tls.crt`, in hex: different after every renewal. */
  readonly fingerprint: string;
  /** The certificate, then its intermediates; empty if they cannot be parsed. */
  readonly chain: readonly X509Certificate[];
  /** The reason why a server could not start with it; undefined if it could. */
  readonly problem?: string;
}

/** Reads the key pair of a Secret; undefined if it contains no certificate (yet). */
export function keyPairOf(secret: Secret | undefined): KeyPair | undefined {
  const text = decoded(secret, 'tls.crt');
  if (text === '') return undefined;
  const fingerprint = createHash('sha256').update(text).digest('hex');
  try {
    const chain = pemCertificates(text).map((block) => new X509Certificate(block));
    return { fingerprint, chain, problem: checkPair(chain, createPrivateKey(decoded(secret, 'tls.key'))) };
  } catch (error) {
    return { fingerprint, chain: [], problem: `tls.crt or tls.key cannot be read: ${errorText(error)}` };
  }
}

function checkPair([certificate]: readonly X509Certificate[], key: KeyObject): string | undefined {
  if (certificate === undefined) return 'tls.crt holds no certificate';
  return certificate.checkPrivateKey(key) ? undefined : 'tls.key is not the key of tls.crt';
}

function decoded(secret: Secret | undefined, key: string): string {
  return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString();
}
