import { isStrayByte, stringOf } from './go-string';

/** Go's quoted strings: package strconv. */

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

const LETTER_OF_ESCAPE: ReadonlyMap<number, string> = new Map([
  [7, 'a'],
  [8, 'b'],
  [9, 't'],
  [10, 'n'],
  [11, 'v'],
  [12, 'f'],
  [13, 'r'],
]);

const ESCAPE_OF_LETTER: ReadonlyMap<string, number> = new Map(
  [...LETTER_OF_ESCAPE].map(([code, letter]) => [letter, code]),
);

/** Whether Go prints a rune without escaping it. */
export function isPrint(rune: number): boolean {
  return rune < 0x7f ? rune >= 0x20 : PRINTABLE.test(String.fromCodePoint(rune));
}

/** Quotes a string as `%q` does; with `ascii`, as `%+q`. */
export function quote(text: string, ascii = false): string {
  let quoted = '"';
  for (const character of text) quoted += escapeRune(character.codePointAt(0) ?? 0, '"', ascii);
  return `${quoted}"`;
}

/** Quotes a rune as `%q` does. */
export function quoteRune(rune: number, ascii: boolean): string {
  return `'${escapeRune(rune, "'", ascii)}'`;
}

/** Whether a string can be between backquotes. */
export function canBackquote(text: string): boolean {
  for (const character of text) {
    const rune = character.codePointAt(0) ?? 0;
    const refused = (rune < 0x20 && rune !== 9) || rune === 0x60 || rune === 0x7f || rune === 0xfeff;
    if (refused || (rune >= 0xd800 && rune <= 0xdfff)) return false;
  }
  return true;
}

function escapeRune(rune: number, quotes: string, ascii: boolean): string {
  if (isStrayByte(rune)) return `\\x${hex(rune - 0xdc00, 2)}`;
  const character = String.fromCodePoint(rune);
  if (character === quotes || character === '\\') return `\\${character}`;
  if (ascii ? rune < 0x7f && isPrint(rune) : isPrint(rune)) return character;
  const letter = LETTER_OF_ESCAPE.get(rune);
  if (letter !== undefined) return `\\${letter}`;
  if (rune < 0x20 || rune === 0x7f) return `\\x${hex(rune, 2)}`;
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** Returns the value of a string constant with its quotes, or `undefined` if its syntax is invalid. */
export function unquote(constant: string): string | undefined {
  const quotes = constant.charAt(0);
  const body = constant.slice(1, -1);
  if (quotes === '`') return body.replaceAll('\r', '');
  if (!body.includes('\\')) return body;
  // No escape is shorter than its value.
  const bytes = Buffer.alloc(3 * body.length);
  let length = 0;
  for (let at = 0; at < body.length; ) {
    const backslash = body.indexOf('\\', at);
    const end = backslash < 0 ? body.length : backslash;
    if (body.slice(at, end).includes(quotes)) return undefined;
    length += bytes.write(body.slice(at, end), length);
    if (backslash < 0) break;
    const character = unquoteCharacter(body, backslash, quotes);
    if (character === undefined) return undefined;
    const { value, isByte } = character;
    if (isByte) bytes[length++] = value;
    else length += bytes.write(String.fromCodePoint(value), length);
    at = character.end;
  }
  return stringOf(bytes.subarray(0, length));
}

interface Character {
  readonly value: number;
  /** Whether it is a byte of the string and not a rune: `\xff`, `\377`. */
  readonly isByte: boolean;
  readonly end: number;
}

/** Reads a character or an escape sequence; `undefined` if its syntax is invalid. */
export function unquoteCharacter(text: string, at: number, quotes: string): Character | undefined {
  const value = text.codePointAt(at);
  if (value === undefined) return undefined;
  const character = String.fromCodePoint(value);
  if (character === quotes) return undefined;
  if (character !== '\\') return { value, isByte: false, end: at + character.length };
  const letter = text.charAt(at + 1);
  const control = ESCAPE_OF_LETTER.get(letter);
  if (control !== undefined) return { value: control, isByte: false, end: at + 2 };
  if (letter === '\\' || (letter === quotes && letter !== '')) {
    return { value: letter.charCodeAt(0), isByte: false, end: at + 2 };
  }
  return unquoteNumber(text, at + 1);
}

const NUMBER_ESCAPE = /x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})/y;

function unquoteNumber(text: string, at: number): Character | undefined {
  NUMBER_ESCAPE.lastIndex = at;
  const found = NUMBER_ESCAPE.exec(text);
  if (found === null) return undefined;
  const [whole, byte, short, long, octal] = found;
  const digits = byte ?? short ?? long ?? octal ?? '';
  const value = Number.parseInt(digits, octal === undefined ? 16 : 8);
  const isByte = byte !== undefined || octal !== undefined;
  const isValid = isByte ? value <= 0xff : value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
  return isValid ? { value, isByte, end: at + whole.length } : undefined;
}
