import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIPv4 } from 'node:net';
import * as der from './der';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateRequest {
  readonly commonName: string;
  /** Users of a cluster: the groups. */
  readonly organizations?: readonly string[];
  /** May it sign others? @default false */
  readonly ca?: boolean;
  /** The key pair that signs it. @default - itself */
  readonly issuer?: KeyPair;
  readonly dnsNames?: readonly string[];
  /** IPv4 addresses. */
  readonly ips?: readonly string[];
  /** @default - a minute ago */
  readonly notBefore?: Date;
  /** @default - in a day */
  readonly notAfter?: Date;
  /** @default 'ec', which is P-256; 'rsa' has 2048 bits and is slow to make */
  readonly keyType?: 'ec' | 'rsa' | 'ed25519';
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Issues an X.509 certificate: for the control plane, for webhooks, as trust anchor or issuer.
 * What is asked for is what comes out, also where it makes no sense (an expired CA, a leaf that outlives its issuer):
 * such certificates are what validation is tested with. Extensions as in RFC 5280, section 4.2.1.
 */
export function issueCertificate(request: CertificateRequest): KeyPair {
  const { publicKey, privateKey } = newKeyPair(request.keyType ?? 'ec');
  const publicDer = publicKey.export({ type: 'spki', format: 'der' });
  const issuer = request.issuer === undefined ? undefined : new X509Certificate(request.issuer.cert);
  const issuerKey = request.issuer === undefined ? privateKey : createPrivateKey(request.issuer.key);
  const subject = distinguishedName(request);
  const now = Date.now();
  const algorithm = signatureAlgorithm(issuerKey);
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(randomBytes(16)),
    algorithm,
    issuer === undefined ? subject : subjectOf(issuer),
    der.sequence(
      der.time(request.notBefore ?? new Date(now - MINUTE_MS)),
      der.time(request.notAfter ?? new Date(now + DAY_MS)),
    ),
    subject,
    publicDer,
    der.explicit(3, der.sequence(...extensions(request, publicDer, issuer))),
  );
  const signature = sign(issuerKey.asymmetricKeyType === 'ed25519' ? null : 'sha256', body, issuerKey);
  return {
    cert: pem('CERTIFICATE', der.sequence(body, algorithm, der.bitString(signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function newKeyPair(type: 'ec' | 'rsa' | 'ed25519'): { publicKey: KeyObject; privateKey: KeyObject } {
  if (type === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  if (type === 'ed25519') return generateKeyPairSync('ed25519');
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function signatureAlgorithm(key: KeyObject): Buffer {
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return der.sequence(der.identifier('1.3.101.112'));
    case 'rsa':
      return der.sequence(der.identifier('1.2.840.113549.1.1.11'), der.element(0x05));
    default:
      return der.sequence(der.identifier('1.2.840.10045.4.3.2'));
  }
}

function distinguishedName({ commonName, organizations = [] }: CertificateRequest): Buffer {
  const attribute = (type: string, value: string) =>
    der.setOf(der.sequence(der.identifier(type), der.utf8String(value)));
  return der.sequence(...organizations.map((name) => attribute('2.5.4.10', name)), attribute('2.5.4.3', commonName));
}

function extensions(request: CertificateRequest, publicDer: Buffer, issuer: X509Certificate | undefined): Buffer[] {
  const ca = request.ca ?? false;
  const names = alternativeNames(request);
  const issuerDer = issuer?.publicKey.export({ type: 'spki', format: 'der' }) ?? publicDer;
  return [
    extension('2.5.29.19', der.sequence(...(ca ? [der.boolean(true)] : [])), true),
    // Bits from the left: digitalSignature, and for CAs keyCertSign and cRLSign.
    extension(
      '2.5.29.15',
      ca ? der.bitString(Buffer.from([0b1000_0110]), 1) : der.bitString(Buffer.from([0x80]), 7),
      true,
    ),
    ...(ca
      ? []
      : [extension('2.5.29.37', der.sequence(...['1', '2'].map((use) => der.identifier(`1.3.6.1.5.5.7.3.${use}`))))]),
    extension('2.5.29.14', der.octetString(keyIdentifier(publicDer))),
    extension('2.5.29.35', der.sequence(der.implicit(0, keyIdentifier(issuerDer)))),
    ...(names.length === 0 ? [] : [extension('2.5.29.17', der.sequence(...names))]),
  ];
}

function extension(type: string, value: Buffer, critical = false): Buffer {
  return der.sequence(der.identifier(type), ...(critical ? [der.boolean(true)] : []), der.octetString(value));
}

function alternativeNames({ dnsNames = [], ips = [] }: CertificateRequest): Buffer[] {
  return [
    ...dnsNames.map((name) => der.implicit(2, Buffer.from(name, 'ascii'))),
    ...ips.map((ip) => {
      if (!isIPv4(ip)) throw new Error(`Expected an IPv4 address, got "${ip}".`);
      return der.implicit(7, Buffer.from(ip.split('.').map(Number)));
    }),
  ];
}

/** Any digest will do, as long as issuer and issued agree on it. */
function keyIdentifier(publicDer: Buffer): Buffer {
  return createHash('sha256').update(publicDer).digest().subarray(0, 20);
}

/** The subject as it stands in a certificate: a chain holds only where names agree byte for byte. */
function subjectOf(certificate: X509Certificate): Buffer {
  const [body] = children(certificate.raw);
  const fields = body === undefined ? [] : children(body);
  const subject = fields[5];
  if (subject === undefined) throw new Error('Expected an X.509 v3 certificate.');
  return subject;
}

/** The elements within an element, each with its tag and length. */
function children(outer: Buffer): Buffer[] {
  const found: Buffer[] = [];
  const { start, end } = span(outer, 0);
  for (let at = start; at < end; ) {
    const next = span(outer, at).end;
    found.push(outer.subarray(at, next));
    at = next;
  }
  return found;
}

function span(bytes: Buffer, at: number): { start: number; end: number } {
  const first = bytes.readUInt8(at + 1);
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const start = at + 2 + (first & 0x7f);
  return { start, end: start + bytes.readUIntBE(at + 2, first & 0x7f) };
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** The key pair that signs service account tokens: the API server wants both halves. */
export function issueTokenSigner(): { readonly publicKey: string; readonly privateKey: string } {
  const { privateKey } = newKeyPair('ec');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
  };
}
