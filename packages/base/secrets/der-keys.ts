/** Bytes of DER as a string with one character for each byte. */
type Bytes = string;

const [INTEGER, OCTET_STRING, OID, SEQUENCE] = [0x02, 0x04, 0x06, 0x30];

/** Object identifiers in DER: of PKCS#5 (1.2.840.113549.1.5) and of PKCS#12's encryption (1.2.840.113549.1.12.1). */
const ENCRYPTION = ['2a864886f70d0105', '2a864886f70d010c01'].map(bytesOf);
/** A bag of PKCS#12 with a key (1.2.840.113549.1.12.10.1.1) or an encrypted one (.2); others contain certificates. */
const KEY_BAGS = ['060b2a864886f70d010c0a0101', '060b2a864886f70d010c0a0102'].map(bytesOf);
/** The protector of keys in Java's own key stores (1.3.6.1.4.1.42.2.17.1.1), and the first bytes of such a store. */
const JKS_KEY = bytesOf('060a2b060104012a02110101');
const JKS_START = bytesOf('feedfeed');
const OPENSSH_START = 'openssh-key-v1\0';

/**
 * Whether bytes are a private key without PEM: PKCS#8 (also encrypted), PKCS#1, SEC1, DSA, OpenSSH, or a key store of
 * PKCS#12 or Java with a key. A trust store, which contains only certificates, does not count.
 */
export function isBinaryKey(bytes: Bytes): boolean {
  if (bytes.startsWith(OPENSSH_START)) return true;
  if (bytes.startsWith(JKS_START)) return bytes.includes(JKS_KEY);
  const all = elementAt(bytes, 0);
  if (all?.tag !== SEQUENCE) return false;
  const first = elementAt(bytes, all.start);
  const second = first && elementAt(bytes, first.end);
  if (first?.tag === SEQUENCE) return isIn(second, OCTET_STRING) && isEncryption(bytes, first.start);
  if (first?.tag !== INTEGER || first.end - first.start !== 1 || second === undefined) return false;
  return isKey(bytes, bytes.charCodeAt(first.start), second);
}

/** Checks the element after the version of a key: 0 or 1 in PKCS#8, 0 in PKCS#1 and DSA, 1 in SEC1, 3 in PKCS#12. */
function isKey(bytes: Bytes, version: number, next: Element): boolean {
  if (version === 3) return next.tag === SEQUENCE && KEY_BAGS.some((bag) => bytes.includes(bag));
  if (version === 1 && next.tag === OCTET_STRING) return [20, 24, 28, 32, 48, 64, 66].includes(next.end - next.start);
  if (version > 1) return false;
  if (next.tag === SEQUENCE) {
    return elementAt(bytes, next.start)?.tag === OID && isIn(elementAt(bytes, next.end), OCTET_STRING);
  }
  // A modulus, or a prime, has at least 512 bits.
  return next.tag === INTEGER && next.end - next.start >= 64 && isIn(elementAt(bytes, next.end), INTEGER);
}

/** Checks an element that may be missing, because only the first line of a key may be known. */
function isIn(element: Element | undefined, tag: number): boolean {
  return element === undefined || element.tag === tag;
}

function isEncryption(bytes: Bytes, start: number): boolean {
  const name = elementAt(bytes, start);
  return name?.tag === OID && ENCRYPTION.some((oid) => bytes.startsWith(oid, name.start));
}

interface Element {
  readonly tag: number;
  /** The contents: from here to the end, exclusive, which may be after the last byte of a truncated key. */
  readonly start: number;
  readonly end: number;
}

/** Reads the header of an element. The length has one byte, or up to four after their count. */
function elementAt(bytes: Bytes, at: number): Element | undefined {
  if (at + 2 > bytes.length) return undefined;
  const [tag, first] = [bytes.charCodeAt(at), bytes.charCodeAt(at + 1)];
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first };
  // 0x80 is an indefinite length, which PKCS#12 tools write: the contents end with a marker.
  const count = first - 0x80;
  if (count > 4) return undefined;
  const start = at + 2 + count;
  if (count === 0) return { tag, start, end: bytes.length };
  let length = 0;
  for (let index = at + 2; index < start; index++) length = length * 256 + bytes.charCodeAt(index);
  return Number.isNaN(length) ? undefined : { tag, start, end: start + length };
}

function bytesOf(hex: string): Bytes {
  return Buffer.from(hex, 'hex').toString('latin1');
}
