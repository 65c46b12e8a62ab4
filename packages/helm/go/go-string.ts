/**
 * Go's strings, which are bytes. A byte that is not UTF-8 (a part of a character that `slice` or `trunc` cut, or the
 * constant `"\xff"`) is kept as the lone surrogate U+DC00 + byte, until the rest of its character follows.
 */

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;
const SURROGATE = /[\ud800-\udfff]/;
const ASCII = /^[\0-\x7f]*$/;

/** Returns the bytes of a string. */
export function bytesOf(text: string): Buffer {
  if (!LONE_SURROGATE.test(text)) return Buffer.from(text);
  // UTF-8 has at most three bytes for each UTF-16 unit.
  const bytes = Buffer.allocUnsafe(3 * text.length);
  let [length, end] = [0, 0];
  for (const { index, 0: surrogate } of text.matchAll(LONE_SURROGATES)) {
    length += bytes.write(text.slice(end, index), length);
    const unit = surrogate.charCodeAt(0);
    if (isStrayByte(unit)) bytes[length++] = unit - 0xdc00;
    else length += bytes.write('\ufffd', length);
    end = index + 1;
  }
  length += bytes.write(text.slice(end), length);
  return bytes.subarray(0, length);
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

/** Returns the number of runes of a string; a byte that is not UTF-8 counts as one. */
export function runeCount(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Compares strings by their bytes, for sorting. */
export function compareStrings(a: string, b: string): number {
  // Only characters beyond U+FFFF have a different order in UTF-16 and in UTF-8.
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(bytesOf(a), bytesOf(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Joins bytes to characters if they were printed one after the other. */
export function joinStrayBytes(text: string): string {
  return LONE_SURROGATE.test(text) ? stringOf(bytesOf(text)) : text;
}

/** Replaces bytes that are not UTF-8, as readers of Helm's output do. */
export function replaceStrayBytes(text: string): string {
  return joinStrayBytes(text).toWellFormed();
}

/** Whether a lone code unit stands for a byte that is not UTF-8. */
export function isStrayByte(unit: number): boolean {
  return unit >= 0xdc80 && unit <= 0xdcff;
}

function decodeWithStrayBytes(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const runes = runeLength(bytes, at);
    if (runes === 0) {
      units[length++] = 0xdc00 + (bytes[at] ?? 0);
      at += 1;
      continue;
    }
    const rune = runes === 1 ? (bytes[at] ?? 0) : decodeRune(bytes, at, runes);
    if (rune > 0xffff) units[length++] = 0xd800 + ((rune - 0x10000) >> 10);
    units[length++] = rune > 0xffff ? 0xdc00 + ((rune - 0x10000) & 0x3ff) : rune;
    at += runes;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}

function decodeRune(bytes: Uint8Array, at: number, length: number): number {
  let rune = (bytes[at] ?? 0) & (0x7f >> length);
  for (let next = at + 1; next < at + length; next += 1) rune = (rune << 6) | ((bytes[next] ?? 0) & 0x3f);
  return rune;
}

/** Returns the length of the character at an index; 0 if it is not UTF-8. */
function runeLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0;
  for (let next = at + 1; next < at + length; next += 1) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  // Refuses overlong forms, surrogates, and code points beyond U+10FFFF.
  const second = bytes[at + 1] ?? 0;
  const [least, most] = SECOND_BYTES.get(first) ?? [0x80, 0xbf];
  return second >= least && second <= most ? length : 0;
}

/** The range of the second byte, for first bytes that do not permit every continuation byte. */
const SECOND_BYTES: ReadonlyMap<number, readonly [least: number, most: number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);
