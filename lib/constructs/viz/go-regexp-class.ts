/** Go refuses an expression. */
export class GoRegexpError extends Error {}

/** A part of an expression. */
export interface Token {
  readonly length: number;
  /** The character it stands for, where it is exactly one. */
  readonly character?: number;
}

const POSIX_CLASSES =
  /^\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/;

/** A bracketed class at the start of `text`, such as `[^a-z\d[:space:]]`. */
export function charClass(text: string): Token {
  let at = text.startsWith('[^') ? 2 : 1;
  for (let first = true; first || text[at] !== ']'; first = false) {
    if (at >= text.length) throw new GoRegexpError(`missing closing ]: ${text}`);
    at += classItem(text.slice(at));
  }
  return { length: at + 1 };
}

function classItem(text: string): number {
  if (text.startsWith('[:') && text.includes(':]', 2)) {
    const [posix] = POSIX_CLASSES.exec(text) ?? [];
    if (posix === undefined)
      throw new GoRegexpError(`invalid character class range: ${text.slice(0, text.indexOf(':]') + 2)}`);
    return posix.length;
  }
  const low = classCharacter(text);
  if (low.character === undefined) return low.length;
  const after = text.slice(low.length);
  if (after.length < 2 || after[0] !== '-' || after[1] === ']') return low.length;
  const high = classCharacter(after.slice(1));
  const length = low.length + 1 + high.length;
  if (high.character === undefined || high.character < low.character) {
    throw new GoRegexpError(`invalid character class range: ${text.slice(0, length)}`);
  }
  return length;
}

function classCharacter(text: string): Token {
  return text[0] === '\\' ? (characterSet(text) ?? character(text)) : literal(text);
}

/** An escape at the start of `text`, outside of a class. */
export function single(text: string): Token {
  if (/^\\[AbBz]/.test(text)) return { length: 2 };
  return characterSet(text) ?? character(text);
}

/** `\d` and its like, `\pL`, `\p{Greek}`. */
function characterSet(text: string): Token | undefined {
  if (/^\\[dDsSwW]/.test(text)) return { length: 2 };
  if (!/^\\[pP]/.test(text)) return undefined;
  const [match, letter, braced] = /^\\[pP](?:([A-Za-z])|\{\^?(\w+)\})/.exec(text) ?? [];
  if (match === undefined || !isUnicodeSet(letter ?? braced ?? '')) {
    throw new GoRegexpError(`invalid character class range: ${match ?? text}`);
  }
  return { length: match.length };
}

/** Tells whether JavaScript knows a category or script of that name: all that Go knows, and some longer names. */
function isUnicodeSet(name: string): boolean {
  return [name, `Script=${name}`].some((property) => {
    try {
      return new RegExp(`\\p{${property}}`, 'u') !== undefined;
    } catch {
      return false;
    }
  });
}

const CONTROL: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** An escape that stands for one character. */
function character(text: string): Token {
  const letter = text[1];
  if (letter === undefined) throw new GoRegexpError('trailing backslash at end of expression: ');
  const control = CONTROL[letter];
  if (control !== undefined) return { length: 2, character: control };
  const [octal] = /^\\(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(text) ?? [];
  if (octal !== undefined) return { length: octal.length, character: Number.parseInt(octal.slice(1), 8) };
  const [hex, two, braced] = /^\\x(?:([\da-fA-F]{2})|\{([\da-fA-F]+)\})/.exec(text) ?? [];
  if (hex !== undefined) {
    const code = Number.parseInt(two ?? braced ?? '', 16);
    if (code > 0x10ffff) throw new GoRegexpError(`invalid escape sequence: ${hex}`);
    return { length: hex.length, character: code };
  }
  // Letters and digits have a meaning or are reserved; other ASCII characters stand for themselves.
  if (/^\\[\0-\x7f]/.test(text) && !/^\\[0-9A-Za-z]/.test(text)) return { length: 2, character: letter.charCodeAt(0) };
  throw new GoRegexpError(`invalid escape sequence: ${text.slice(0, 2)}`);
}

function literal(text: string): Token {
  const code = text.codePointAt(0) ?? 0;
  return { length: code > 0xffff ? 2 : 1, character: code };
}
