import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { byText, remembered } from '#base/remembered';

interface PrivateKeySpec {
  readonly algorithm?: string;
  readonly size?: number;
  readonly encoding?: string;
  readonly rotationPolicy?: string;
}

const CURVES: Readonly<Record<number, string>> = { 256: 'prime256v1', 384: 'secp384r1', 521: 'secp521r1' };

/** Generates a key for a Certificate, RSA by default. Returns PKCS #8 as PEM, the format of the next key's Secret. */
export function createPrivateKeyFor(spec: PrivateKeySpec = {}): string {
  return encodedAs('PKCS8', generate(spec));
}

function generate({ algorithm = 'RSA', size }: PrivateKeySpec): KeyObject {
  if (algorithm === 'Ed25519') return generateKeyPairSync('ed25519').privateKey;
  if (algorithm === 'ECDSA') {
    return generateKeyPairSync('ec', { namedCurve: CURVES[size ?? 256] ?? 'prime256v1' }).privateKey;
  }
  return generateKeyPairSync('rsa', { modulusLength: size ?? 2048 }).privateKey;
}

/** The key in the encoding of a Certificate's spec. @default PKCS #1, or SEC 1 for an elliptic curve */
export function encodePrivateKey(key: string, { encoding = 'PKCS1' }: PrivateKeySpec = {}): string {
  return encodedAs(encoding, createPrivateKey(key));
}

function encodedAs(encoding: string, key: KeyObject): string {
  const type = key.asymmetricKeyType;
  if (encoding === 'PKCS8' || type === 'ed25519') return key.export({ type: 'pkcs8', format: 'pem' }).toString();
  return key.export({ type: type === 'rsa' ? 'pkcs1' : 'sec1', format: 'pem' }).toString();
}

/** The field of a Certificate's spec that the key does not match, if any (pkg/util/pki/match.go). */
export function keyMismatch(key: KeyObject, { algorithm = 'RSA', size }: PrivateKeySpec = {}): string | undefined {
  const type = { RSA: 'rsa', ECDSA: 'ec', Ed25519: 'ed25519' }[algorithm];
  if (key.asymmetricKeyType !== type) return 'spec.privateKey.algorithm';
  const details = key.asymmetricKeyDetails;
  if (algorithm === 'RSA' && details?.modulusLength !== (size ?? 2048)) return 'spec.privateKey.size';
  if (algorithm === 'ECDSA' && details?.namedCurve !== CURVES[size ?? 256]) return 'spec.privateKey.size';
  return undefined;
}

/** Reads a private key from PEM; `undefined` if there is none. */
export function readPrivateKey(text: string | undefined): KeyObject | undefined {
  return text === undefined ? undefined : parsePrivateKey(text);
}

const parsePrivateKey = byText((text) => {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
});

/** The SubjectPublicKeyInfo of a private key, as DER. */
export const publicKeyOf = remembered(
  (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' }),
);
