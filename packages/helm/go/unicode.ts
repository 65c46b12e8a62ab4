const SPACE = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/u;

/** Whether a character is white space for Go's `unicode.IsSpace`, which unlike `\s` has U+0085 and lacks U+FEFF. */
export function isSpace(character: string): boolean {
  return SPACE.test(character);
}

/** Returns a text without the white space around it, as `strings.TrimSpace` does. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charAt(start))) start += 1;
  while (end > start && isSpace(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Whether a character of Latin-1 is white space, by its number. */
export function isLatinSpace(byte: number): boolean {
  return (byte >= 9 && byte <= 13) || byte === 0x20 || byte === 0x85 || byte === 0xa0;
}

export function isUpper(character: string): boolean {
  return /^\p{Lu}$/u.test(character);
}

export function isLower(character: string): boolean {
  return /^\p{Ll}$/u.test(character);
}

export function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}

/** Returns the upper case of a character. Go maps each character to one; JavaScript turns ß into SS. */
export function upperRune(character: string): string {
  return greekIota(character) ?? single(character.toUpperCase(), character);
}

/** Returns the lower case of a character as Go does: İ becomes i, to which JavaScript adds a dot above. */
export function lowerRune(character: string): string {
  return character === '\u0130' ? 'i' : single(character.toLowerCase(), character);
}

function single(mapped: string, character: string): string {
  return [...mapped].length === 1 ? mapped : character;
}

/** The title case of characters whose title case is not their upper case. JavaScript has no title case. */
const TITLE_CASES: ReadonlyMap<string, string> = new Map([
  ...['\u01c4', '\u01c5', '\u01c6'].map((character) => [character, '\u01c5'] as const),
  ...['\u01c7', '\u01c8', '\u01c9'].map((character) => [character, '\u01c8'] as const),
  ...['\u01ca', '\u01cb', '\u01cc'].map((character) => [character, '\u01cb'] as const),
  ...['\u01f1', '\u01f2', '\u01f3'].map((character) => [character, '\u01f2'] as const),
]);

/** Letters of Georgian: they have an upper case, but their title case is the letter itself. */
const GEORGIAN = /^[\u10d0-\u10fa\u10fd-\u10ff]$/u;

/** Returns the upper case of a Greek letter with an iota below: one letter in Go, two in JavaScript. */
function greekIota(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x1f80 && code <= 0x1faf) return String.fromCodePoint(code | 8);
  return { '\u1fb3': '\u1fbc', '\u1fc3': '\u1fcc', '\u1ff3': '\u1ffc' }[character];
}

export function titleRune(character: string): string {
  if (GEORGIAN.test(character)) return character;
  return TITLE_CASES.get(character) ?? upperRune(character);
}

export function toUpper(text: string): string {
  return isAscii(text) ? text.toUpperCase() : [...text].map(upperRune).join('');
}

export function toLower(text: string): string {
  return isAscii(text) ? text.toLowerCase() : [...text].map(lowerRune).join('');
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
