import { foldable, quotedDouble, quotedSingle, type ScalarPlace, UNPRINTABLE } from './helm-quotes';
import { isStringInPlain } from './plain-string';

const BREAK = /[\n\r\u0085\u2028\u2029]/;

/** A string as go-yaml 2 writes it. */
export function helmScalar(text: string, place: ScalarPlace): string {
  if (text.includes('\n') && place.mayFold && mayBeBlock(text)) return block(text, place.indent);
  if (text.includes('\n') || !isStringInPlain(text)) return quotedDouble(text, place);
  if (mayBePlain(text)) return foldable(text, place);
  return mayBeSingleQuoted(text) ? quotedSingle(text, place) : quotedDouble(text, place);
}

function mayBeBlock(text: string): boolean {
  return !text.endsWith(' ') && !isEscaped(text);
}

function mayBePlain(text: string): boolean {
  if (/^ | $/.test(text) || BREAK.test(text) || isEscaped(text)) return false;
  return !/^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?:[ ]|$))|:(?: |$)| #/.test(text);
}

function mayBeSingleQuoted(text: string): boolean {
  return !isEscaped(text) && !/[\r\u0085\u2028\u2029] /.test(text);
}

/** Tells whether only double quotes can hold a text. */
function isEscaped(text: string): boolean {
  return UNPRINTABLE.test(text) || / [\n\r\u0085\u2028\u2029]/.test(text);
}

/** Text on lines of its own. Lines of nothing but spaces are not indented. */
function block(text: string, indent: number): string {
  const hint = /^[ \n\r\u0085\u2028\u2029]/.test(text) ? '2' : '';
  const chomping = text.endsWith('\n') ? (/^\n$|\n\n$/.test(text) ? '+' : '') : '-';
  const pad = ' '.repeat(indent);
  const lines = text.replace(/\n$/, '').split('\n');
  return `|${hint}${chomping}${lines.map((line) => `\n${/^ *$/.test(line) ? '' : pad}${line}`).join('')}`;
}
