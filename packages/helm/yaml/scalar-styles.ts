import type { GoYaml } from './resolve-scalar';

/** The styles in which a string can be written. */
export interface AllowedStyles {
  readonly isMultiline: boolean;
  readonly plain: boolean;
  readonly single: boolean;
  readonly block: boolean;
}

/** Line breaks of YAML 1.1. */
export function isBreak(character: string): boolean {
  return /^[\r\n\u0085\u2028\u2029]$/.test(character);
}

/** Whether libyaml treats a character as printable: nothing beyond U+FFFF, no controls, no byte order mark. */
function isPrintable(character: string): boolean {
  return /^[\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/.test(character);
}

/** Returns the styles in which a string can be written so that it is read as the same string. */
export function allowedStyles(text: string, goYaml: GoYaml): AllowedStyles {
  if (text === '') return { isMultiline: false, plain: true, single: true, block: false };
  const hasTab = text.includes('\t');
  const characters = [...text];
  const isSpecial = characters.some((character) => !isPrintable(character) && (goYaml === 'v2' || character !== '\t'));
  const isMultiline = characters.some(isBreak);
  const spaceBreak = / [\r\n\u0085\u2028\u2029]/.test(text);
  const breakSpace = /[\r\n\u0085\u2028\u2029] /.test(text);
  const isEdged = /^[ \r\n\u0085\u2028\u2029]|[ \r\n\u0085\u2028\u2029]$/.test(text);
  return {
    isMultiline,
    plain: !(isEdged || isMultiline || isSpecial || hasTab || hasBlockIndicators(text)),
    single: !(breakSpace || spaceBreak || isSpecial || hasTab),
    block: !(text.endsWith(' ') || spaceBreak || isSpecial),
  };
}

/** Whether a text has characters that have a meaning at the start of a scalar, or next to a space. */
function hasBlockIndicators(text: string): boolean {
  return (
    /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?-](?:[ \t]|$))/.test(text) ||
    /:(?:[ \t]|$)|[ \t\r\n\u0085\u2028\u2029\0]#/.test(text)
  );
}

/** If a text starts with a byte order mark, libyaml escapes all of it. Later marks have no effect. */
export function startsWithBom(text: string): boolean {
  return text.startsWith('\ufeff');
}

/** Whether a character needs no escape in a double-quoted scalar. */
export function isPlainInQuotes(character: string): boolean {
  return isPrintable(character) && !isBreak(character) && character !== '"' && character !== '\\';
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\u001b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0085', '\\N'],
  ['\u00a0', '\\_'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

/** Escapes a character for double-quoted scalars. */
export function escapeCharacter(character: string): string {
  const short = ESCAPES.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
