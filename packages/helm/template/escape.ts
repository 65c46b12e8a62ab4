import { bytesOf } from '../go/go-string';
import { isPrint } from '../go/quote';

/** The escapers of templates. */

const HTML_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '&#34;'],
  ["'", '&#39;'],
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['\0', '\ufffd'],
]);

const HTML_SPECIAL = /["'&<>\0]/g;

const JS_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ["'", "\\'"],
  ['"', '\\"'],
  ['<', '\\u003C'],
  ['>', '\\u003E'],
  ['&', '\\u0026'],
  ['=', '\\u003D'],
]);

const JS_SPECIAL = /[^ -\x7f]|[\\'"<>&=]/gu;

/** `html`. */
export function escapeHtml(text: string): string {
  return text.replace(HTML_SPECIAL, (character) => HTML_ESCAPES.get(character) ?? character);
}

/** `js`. */
export function escapeJs(text: string): string {
  return text.replace(JS_SPECIAL, (character) => JS_ESCAPES.get(character) ?? escapeRune(character));
}

/** `urlquery`. */
export function escapeUrlQuery(text: string): string {
  return Array.from(bytesOf(text), escapeByte).join('');
}

function escapeRune(character: string): string {
  const rune = character.codePointAt(0) ?? 0;
  if (rune >= 0x80 && isPrint(rune)) return character;
  // A byte that is no UTF-8 is read as the replacement character, which is printable.
  if (rune >= 0xd800 && rune <= 0xdfff) return '\ufffd';
  return `\\u${rune.toString(16).toUpperCase().padStart(4, '0')}`;
}

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (/[\w.~-]/.test(character)) return character;
  return character === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
