/** The types of ASN.1's distinguished encoding rules (DER) that an X.509 certificate needs. */

/** An element: its tag, the length of its content, the content. */
export function element(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), encodedLength(body.length), body]);
}

function encodedLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = Buffer.from(evenHex(length.toString(16)), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

function evenHex(hex: string): string {
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}

export const sequence = (...items: readonly Buffer[]): Buffer => element(0x30, ...items);
export const setOf = (...items: readonly Buffer[]): Buffer => element(0x31, ...items);
export const boolean = (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0]));
export const octetString = (content: Buffer): Buffer => element(0x04, content);
export const utf8String = (text: string): Buffer => element(0x0c, Buffer.from(text, 'utf8'));

/** A non-negative integer. The first bit is the sign, so a zero byte precedes a first byte whose first bit is set. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const significant = first === -1 ? Buffer.from([0]) : bytes.subarray(first);
  return element(0x02, (significant[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), significant]) : significant);
}

/** A bit string; the last `unused` bits are padding. */
export function bitString(content: Buffer, unused = 0): Buffer {
  return element(0x03, Buffer.from([unused]), content);
}

/** An object identifier in dotted form, such as `2.5.29.17`. */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

/** A time in whole seconds, with two-digit years up to 2049 and four-digit years after (RFC 5280, section 4.1.2.5). */
export function time(moment: Date): Buffer {
  const digits = moment.toISOString().replace(/[-:T]|\.\d+/g, '');
  return moment.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(digits.slice(2), 'ascii'))
    : element(0x18, Buffer.from(digits, 'ascii'));
}

/** An element in a context-specific tag. */
export const explicit = (tag: number, content: Buffer): Buffer => element(0xa0 | tag, content);
/** An element whose tag is replaced by a context-specific tag. */
export const implicit = (tag: number, content: Buffer): Buffer => element(0x80 | tag, content);

/** The elements within an element, each with its tag and length. */
export function children(outer: Buffer): Buffer[] {
  const found: Buffer[] = [];
  const { start, end } = span(outer, 0);
  for (let at = start; at < end; ) {
    const next = span(outer, at).end;
    found.push(outer.subarray(at, next));
    at = next;
  }
  return found;
}

/** The content of an element, without its tag and length. */
export function contentOf(outer: Buffer): Buffer {
  const { start, end } = span(outer, 0);
  return outer.subarray(start, end);
}

/** The descendant at a path of positions. @throws if there is none */
export function elementAt(outer: Buffer, ...path: readonly number[]): Buffer {
  let found = outer;
  for (const index of path) {
    const next = children(found)[index];
    if (next === undefined) throw new Error(`Expected an element at ${path.join('.')}.`);
    found = next;
  }
  return found;
}

function span(bytes: Buffer, at: number): { start: number; end: number } {
  const first = bytes.readUInt8(at + 1);
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const start = at + 2 + (first & 0x7f);
  return { start, end: start + bytes.readUIntBE(at + 2, first & 0x7f) };
}
