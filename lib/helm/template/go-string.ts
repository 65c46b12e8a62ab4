/**
 * Strings as Go sees them: bytes. A byte that is no UTF-8 (of half a character that `slice` or `trunc` leaves, or of the
 * constant `"\xff"`) is the lone surrogate U+DC00 + byte, so that it survives until its other half follows.
 */

const LONE_SURROGATE = /\p{Surrogate}/u;
const SURROGATE = /[\ud800-\udfff]/;
const ASCII = /^[\0-\x7f]*$/;

/** Returns the bytes of a string. */
export function bytesOf(text: string): Buffer {
  if (!LONE_SURROGATE.test(text)) return Buffer.from(text);
  return Buffer.concat(
    text.split(/(\p{Surrogate})/u).map((part, index) => {
      if (index % 2 === 0) return Buffer.from(part);
      const unit = part.charCodeAt(0);
      return isStrayByte(unit) ? Buffer.of(unit - 0xdc00) : Buffer.from('\ufffd');
    }),
  );
}

/** Returns the string of bytes. */
export function stringOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return text.includes('\ufffd') ? decodeWithStrayBytes(bytes) : text;
}

/** Returns the number of bytes of a string. */
export function byteLength(text: string): number {
  return ASCII.test(text) ? text.length : bytesOf(text).length;
}

/** Returns the bytes from start to end of a string. */
export function sliceBytes(text: string, start: number, end: number): string {
  return ASCII.test(text) ? text.slice(start, end) : stringOf(bytesOf(text).subarray(start, end));
}

/** Returns the number of runes of a string; a byte that is no UTF-8 counts as one. */
export function runeCount(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Compares strings by their bytes, for sorting. */
export function compareStrings(a: string, b: string): number {
  // Only characters beyond U+FFFF have another order in UTF-16 than in UTF-8.
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(bytesOf(a), bytesOf(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Puts characters together whose bytes were printed one after the other. */
export function joinStrayBytes(text: string): string {
  return LONE_SURROGATE.test(text) ? stringOf(bytesOf(text)) : text;
}

/** Replaces what is no UTF-8, as everything does that reads what Helm prints. */
export function replaceStrayBytes(text: string): string {
  return joinStrayBytes(text).toWellFormed();
}

/** Whether a code unit, which is no half of a pair, stands for a byte that is no UTF-8. */
export function isStrayByte(unit: number): boolean {
  return unit >= 0xdc80 && unit <= 0xdcff;
}

function decodeWithStrayBytes(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = runeLength(bytes, at);
    if (length === 0) {
      text += String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
      at += 1;
    } else {
      text += Buffer.from(bytes.subarray(at, at + length)).toString();
      at += length;
    }
  }
  return text;
}

/** The number of bytes of the rune at a place; 0 if it is no UTF-8. */
function runeLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0;
  const encoded = Buffer.from(bytes.subarray(at, at + length));
  return Buffer.from(encoded.toString()).equals(encoded) ? length : 0;
}
