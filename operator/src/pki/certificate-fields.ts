import { DER, type DerElement, derElements } from './der';

/** The parts of a certificate that Node does not return, or not byte by byte. */
export interface CertificateFields {
  /** DER of the subject's name. */
  readonly subject: Buffer;
  /** DER of the public key, as SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  /** The number of CAs that may follow it; absent for no limit. */
  readonly pathLength?: number;
  /** True if it constrains the names of certificates below it. */
  readonly constrained?: true;
}

/** The tag of a certificate's extensions. */
const EXTENSIONS = 0xa3;

/** 2.5.29.19. */
const BASIC_CONSTRAINTS = Buffer.from([0x55, 0x1d, 0x13]);

/** 2.5.29.30. */
const NAME_CONSTRAINTS = Buffer.from([0x55, 0x1d, 0x1e]);

/** Parses a certificate in DER; undefined if it is invalid. */
export function certificateFields(der: Buffer): CertificateFields | undefined {
  const [certificate] = derElements(der);
  const [toBeSigned] = derElements(certificate?.content ?? Buffer.alloc(0));
  const all = derElements(toBeSigned?.content ?? Buffer.alloc(0));
  // The version is omitted in version 1.
  const fields = all[0]?.tag === DER.version ? all.slice(1) : all;
  // Serial number, algorithm, issuer, validity.
  const [, , , , subject, publicKey, ...rest] = fields;
  if (subject?.tag !== DER.sequence || publicKey?.tag !== DER.sequence) return undefined;
  const extensions = rest.find(({ tag }) => tag === EXTENSIONS);
  const pathLength = pathLengthOf(extensionValue(extensions, BASIC_CONSTRAINTS));
  return {
    subject: subject.whole,
    publicKey: publicKey.whole,
    ...(pathLength !== undefined && { pathLength }),
    ...(extensionValue(extensions, NAME_CONSTRAINTS) !== undefined && { constrained: true }),
  };
}

/** Subject and public key of a certificate signing request. */
export type RequestFields = Pick<CertificateFields, 'subject' | 'publicKey'>;

/** Parses a certificate signing request in DER (RFC 2986); undefined if it is invalid. */
export function requestFields(der: Buffer): RequestFields | undefined {
  const [request] = derElements(der);
  const [information] = derElements(request?.content ?? Buffer.alloc(0));
  const [, subject, publicKey] = derElements(information?.content ?? Buffer.alloc(0));
  if (subject?.tag !== DER.sequence || publicKey?.tag !== DER.sequence) return undefined;
  return { subject: subject.whole, publicKey: publicKey.whole };
}

/** Returns the value of an extension; undefined if the certificate does not have it. */
function extensionValue(extensions: DerElement | undefined, id: Buffer): Buffer | undefined {
  const [list] = derElements(extensions?.content ?? Buffer.alloc(0));
  for (const extension of derElements(list?.content ?? Buffer.alloc(0))) {
    const [oid, ...values] = derElements(extension.content);
    if (oid?.tag !== DER.oid || !oid.content.equals(id)) continue;
    return values.find(({ tag }) => tag === DER.octets)?.content ?? Buffer.alloc(0);
  }
  return undefined;
}

function pathLengthOf(value: Buffer = Buffer.alloc(0)): number | undefined {
  const [constraints] = derElements(value);
  const length = derElements(constraints?.content ?? Buffer.alloc(0)).find(({ tag }) => tag === DER.integer);
  return length === undefined ? undefined : smallInteger(length.content);
}

/** Returns a small integer; a longer one is not a plausible number of CAs, and sets no limit. */
function smallInteger(bytes: Buffer): number | undefined {
  return bytes.length === 0 || bytes.length > 4 ? undefined : bytes.readUIntBE(0, bytes.length);
}
