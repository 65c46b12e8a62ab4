import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { DAY, MINUTE } from '#base/time-units';
import * as der from './der';
import { pem } from './pem';
import { type CertificateTemplate, signCertificate } from './sign-certificate';
import {
  basicConstraints,
  extendedKeyUsage,
  extension,
  keyUsage,
  nameConstraints,
  SUBJECT_ALT_NAME,
} from './x509-extensions';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** The subject of a certificate. */
export interface Subject {
  readonly commonName: string;
  /** For a user of a cluster: the groups. */
  readonly organizations?: readonly string[];
}

type KeyType = 'ec' | 'rsa' | 'ed25519';

export interface CertificateRequest extends Subject {
  /** Whether the certificate is a CA. @default false */
  readonly ca?: boolean;
  /** The number of CAs that may follow this CA in a chain. @default - any */
  readonly pathLength?: number;
  /** The DNS domains for which this CA may sign. @default - all */
  readonly permittedDomains?: readonly string[];
  /** The key pair that signs the certificate. @default - its own key */
  readonly issuer?: KeyPair;
  readonly dnsNames?: readonly string[];
  readonly uris?: readonly string[];
  /** IPv4 addresses. */
  readonly ips?: readonly string[];
  /** @default - a minute ago */
  readonly notBefore?: Date;
  /** @default - in a day */
  readonly notAfter?: Date;
  /** @default 'ec', which is P-256; 'rsa' has 2048 bits and is slow to make */
  readonly keyType?: KeyType;
  /** An existing private key, as PEM. @default - a new one */
  readonly key?: string;
}

/**
 * Issues an X.509 certificate: for the control plane, for webhooks, as trust anchor or issuer.
 * It also issues invalid certificates (an expired CA, a leaf that outlives its issuer), which tests of validation
 * need. The extensions are those of RFC 5280, section 4.2.1.
 */
export function issueCertificate(request: CertificateRequest): KeyPair {
  const privateKey = request.key === undefined ? newKeyPair(request.keyType) : createPrivateKey(request.key);
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const now = Date.now();
  const template: CertificateTemplate = {
    subject: distinguishedName(request),
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    ca: request.ca ?? false,
    notBefore: request.notBefore ?? new Date(now - MINUTE),
    notAfter: request.notAfter ?? new Date(now + DAY),
    extensions: extensions(request),
  };
  const issuer = request.issuer && { cert: new X509Certificate(request.issuer.cert).raw, key: request.issuer.key };
  return { cert: pem('CERTIFICATE', signCertificate(template, issuer ?? { key })), key };
}

function newKeyPair(type: KeyType = 'ec'): KeyObject {
  if (type === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  if (type === 'ed25519') return generateKeyPairSync('ed25519').privateKey;
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

/** A subject, as a DER element. */
export function distinguishedName({ commonName, organizations = [] }: Subject): Buffer {
  const attribute = (type: string, value: string) =>
    der.setOf(der.sequence(der.identifier(type), der.utf8String(value)));
  return der.sequence(...organizations.map((name) => attribute('2.5.4.10', name)), attribute('2.5.4.3', commonName));
}

function extensions(request: CertificateRequest): Buffer[] {
  const ca = request.ca ?? false;
  const names = alternativeNames(request);
  return [
    basicConstraints(ca, request.pathLength),
    keyUsage(ca ? ['digital signature', 'cert sign', 'crl sign'] : ['digital signature']),
    ...(request.permittedDomains ? [nameConstraints(request.permittedDomains)] : []),
    ...(ca ? [] : [extendedKeyUsage(['server auth', 'client auth'])]),
    ...(names.length === 0 ? [] : [extension(SUBJECT_ALT_NAME, der.sequence(...names))]),
  ];
}

/** The names that a subject alternative name extension lists. */
export function alternativeNames({
  dnsNames = [],
  uris = [],
  ips = [],
}: Pick<CertificateRequest, 'dnsNames' | 'uris' | 'ips'>): Buffer[] {
  return [
    ...dnsNames.map((name) => der.implicit(2, Buffer.from(name, 'ascii'))),
    ...uris.map((uri) => der.implicit(6, Buffer.from(uri, 'ascii'))),
    ...ips.map((ip) => {
      if (!isIPv4(ip)) throw new Error(`Expected an IPv4 address, got "${ip}".`);
      return der.implicit(7, Buffer.from(ip.split('.').map(Number)));
    }),
  ];
}

/** A key pair for the signing of service account tokens. The API server needs both keys. */
export function issueTokenSigner(): { readonly publicKey: string; readonly privateKey: string } {
  const privateKey = newKeyPair();
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
  };
}
