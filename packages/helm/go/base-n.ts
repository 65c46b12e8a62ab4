/** The bytes that a text encodes, or the position of the first byte that is not valid. */
export type Decoded = { readonly bytes: Buffer } | { readonly illegalAt: number };

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PADDING = 0x3d;

function isLineBreak(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

function digitOf(byte: number | undefined, alphabet: string): number {
  return byte === undefined ? -1 : alphabet.indexOf(String.fromCharCode(byte));
}

/** Decodes Base64 as Go does: it requires padding, and permits line breaks anywhere. */
export function decodeBase64(source: Uint8Array): Decoded {
  const digits: number[] = [];
  for (let i = 0; i < source.length; i++) {
    if (isLineBreak(source[i])) continue;
    if (source[i] === PADDING) {
      const illegalAt = base64PaddingError(source, i, digits.length % 4);
      return illegalAt === undefined ? { bytes: pack(digits, 6) } : { illegalAt };
    }
    const digit = digitOf(source[i], BASE64);
    if (digit < 0) return { illegalAt: i };
    digits.push(digit);
  }
  const missing = digits.length % 4;
  return missing === 0 ? { bytes: pack(digits, 6) } : { illegalAt: source.length - missing };
}

function base64PaddingError(source: Uint8Array, at: number, digits: number): number | undefined {
  if (digits < 2) return at;
  let next = afterLineBreaks(source, at + 1);
  if (digits === 2) {
    if (next === source.length) return source.length;
    if (source[next] !== PADDING) return next - 1;
    next = afterLineBreaks(source, next + 1);
  }
  return next < source.length ? next : undefined;
}

function afterLineBreaks(source: Uint8Array, from: number): number {
  let next = from;
  while (next < source.length && isLineBreak(source[next])) next++;
  return next;
}

/** Decodes Base32 as Go does, which counts positions without line breaks. */
export function decodeBase32(text: Uint8Array): Decoded {
  const source = text.filter((byte) => !isLineBreak(byte));
  const digits: number[] = [];
  for (let i = 0; i < source.length; i++) {
    const used = digits.length % 8;
    if (source[i] === PADDING && used >= 2 && source.length - i - 1 < 8) {
      const illegalAt = base32PaddingError(source, i, used);
      return illegalAt === undefined ? { bytes: pack(digits, 5) } : { illegalAt };
    }
    const digit = digitOf(source[i], BASE32);
    if (digit < 0) return { illegalAt: i };
    digits.push(digit);
  }
  const missing = digits.length % 8;
  return missing === 0 ? { bytes: pack(digits, 5) } : { illegalAt: source.length - missing };
}

function base32PaddingError(source: Uint8Array, at: number, digits: number): number | undefined {
  if (source.length - at - 1 + digits < 7) return source.length;
  for (let k = 0; k < 7 - digits; k++) {
    if (source[at + 1 + k] !== PADDING) return at + k;
  }
  // No whole number of bytes has 3 or 6 digits.
  return digits === 3 || digits === 6 ? at : undefined;
}

function pack(digits: readonly number[], bits: number): Buffer {
  const bytes = Buffer.alloc(Math.floor((digits.length * bits) / 8));
  let buffer = 0;
  let held = 0;
  let filled = 0;
  for (const digit of digits) {
    buffer = ((buffer << bits) | digit) & 0xffff;
    held += bits;
    if (held >= 8) {
      held -= 8;
      bytes[filled++] = (buffer >> held) & 0xff;
    }
  }
  return bytes;
}

/** Encodes bytes as Base32, padded to blocks of eight. */
export function encodeBase32(bytes: Uint8Array): string {
  let encoded = '';
  let buffer = 0;
  let held = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    held += 8;
    while (held >= 5) {
      held -= 5;
      encoded += BASE32[(buffer >> held) & 31];
    }
  }
  if (held > 0) encoded += BASE32[(buffer << (5 - held)) & 31];
  return encoded.padEnd(Math.ceil(encoded.length / 8) * 8, '=');
}
