/** The parts of a certificate that Node does not return, or not as bytes. */
export interface CertificateFields {
  /** DER of the subject's name. */
  readonly subject: Buffer;
  /** DER of the public key, as SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  /** The number of CAs that may follow it; absent for no limit. */
  readonly pathLength?: number;
  /** True if it constrains the names of certificates below it. */
  readonly constrained?: true;
  /** The DNS domains that it permits, if the constraint is critical and otherwise permits only URIs. */
  readonly permits?: readonly string[];
  /** True if it also permits only URIs of these domains: proxies also accept SPIFFE identities. */
  readonly limitsUris?: true;
}

const EXTENSIONS = 0xa3;

/** The object identifier 2.5.29.19. */
const BASIC_CONSTRAINTS = Buffer.from([0x55, 0x1d, 0x13]);

/** The object identifier 2.5.29.30. */
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
  const pathLength = pathLengthOf(extensionOf(extensions, BASIC_CONSTRAINTS)?.value);
  return {
    subject: subject.whole,
    publicKey: publicKey.whole,
    ...(pathLength !== undefined && { pathLength }),
    ...constraintOf(extensions),
  };
}

/** Subject, public key and name constraint of a certificate signing request. */
export type RequestFields = Omit<CertificateFields, 'pathLength'>;

/** Tag of a request's attributes, and the attribute with its extensions (RFC 2985, 5.4.2): 1.2.840.113549.1.9.14. */
const ATTRIBUTES = 0xa0;
const EXTENSION_REQUEST = Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e]);

/** Parses a certificate signing request in DER (RFC 2986); undefined if it is invalid. */
export function requestFields(der: Buffer): RequestFields | undefined {
  const [request] = derElements(der);
  const [information] = derElements(request?.content ?? Buffer.alloc(0));
  const [, subject, publicKey, ...rest] = derElements(information?.content ?? Buffer.alloc(0));
  if (subject?.tag !== DER.sequence || publicKey?.tag !== DER.sequence) return undefined;
  const attributes = derElements(rest.find(({ tag }) => tag === ATTRIBUTES)?.content ?? Buffer.alloc(0));
  const extensions = attributes
    .map(({ content }) => derElements(content))
    .find(([oid]) => oid?.tag === DER.oid && oid.content.equals(EXTENSION_REQUEST))?.[1];
  return { subject: subject.whole, publicKey: publicKey.whole, ...constraintOf(extensions) };
}

/** The tags of permitted subtrees, and of a DNS name and a URI in one. */
const PERMITTED = 0xa0;
const DNS_NAME = 0x82;
const URI = 0x86;

type Constraint = Pick<CertificateFields, 'constrained' | 'permits' | 'limitsUris'>;

function constraintOf(extensions: DerElement | undefined): Constraint {
  const extension = extensionOf(extensions, NAME_CONSTRAINTS);
  if (extension === undefined) return {};
  const [constraints] = derElements(extension.value);
  const [permitted, ...excluded] = derElements(constraints?.content ?? Buffer.alloc(0));
  const names = derElements(permitted?.content ?? Buffer.alloc(0)).map(({ content }) => derElements(content));
  const isPlain = permitted?.tag === PERMITTED && excluded.length === 0 && names.length > 0 && extension.isCritical;
  const isKnown = names.every(([name, ...bounds]) => [DNS_NAME, URI].includes(name?.tag ?? 0) && bounds.length === 0);
  const of = (tag: number): readonly string[] =>
    names.flatMap(([name]) => (name?.tag === tag ? [name.content.toString('latin1')] : []));
  const [permits, uris] = [of(DNS_NAME), of(URI)];
  if (!isPlain || !isKnown || permits.length === 0) return { constrained: true };
  const limitsUris = uris.length > 0 && uris.every((domain) => permits.includes(domain));
  return { constrained: true, permits, ...(limitsUris && { limitsUris }) };
}

interface Extension {
  readonly value: Buffer;
  readonly isCritical: boolean;
}

function extensionOf(extensions: DerElement | undefined, id: Buffer): Extension | undefined {
  const [list] = derElements(extensions?.content ?? Buffer.alloc(0));
  for (const extension of derElements(list?.content ?? Buffer.alloc(0))) {
    const [oid, ...values] = derElements(extension.content);
    if (oid?.tag !== DER.oid || !oid.content.equals(id)) continue;
    const value = values.find(({ tag }) => tag === DER.octets)?.content ?? Buffer.alloc(0);
    return { value, isCritical: values.some(({ tag, content }) => tag === DER.boolean && content[0] === 0xff) };
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

/** One element of DER: its tag, its content, and all its bytes. */
interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

/** Tags in certificates. */
const DER = { boolean: 0x01, integer: 0x02, octets: 0x04, oid: 0x06, sequence: 0x30, version: 0xa0 } as const;

/** Parses consecutive elements, up to the first truncated one. */
function derElements(bytes: Buffer): readonly DerElement[] {
  const elements: DerElement[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const element = elementAt(bytes, offset);
    if (element === undefined) break;
    elements.push(element);
    offset += element.whole.length;
  }
  return elements;
}

/** Maximum number of bytes of a length in certificates. */
const MAX_LENGTH_BYTES = 4;

function elementAt(bytes: Buffer, offset: number): DerElement | undefined {
  const [tag, first] = [bytes[offset], bytes[offset + 1]];
  if (tag === undefined || first === undefined) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = offset + 2 + lengthBytes;
  if (lengthBytes > MAX_LENGTH_BYTES || start > bytes.length) return undefined;
  const length = lengthBytes === 0 ? first & 0x7f : bytes.readUIntBE(offset + 2, lengthBytes);
  const end = start + length;
  if (end > bytes.length) return undefined;
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(offset, end) };
}
