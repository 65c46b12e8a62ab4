/** Go refuses an expression. */
class GoRegexpError extends Error {}

/** A part of an expression. */
interface Token {
  readonly length: number;
  /** The character that it matches, if exactly one. */
  readonly character?: number;
}

const POSIX_CLASSES =
  /^\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/;

/** A bracketed class at the start of `text`, such as `[^a-z\d[:space:]]`. */
function charClass(text: string): Token {
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

/** An escape at the start of `text`, outside a class. */
function single(text: string): Token {
  if (/^\\[AbBz]/.test(text)) return { length: 2 };
  return characterSet(text) ?? character(text);
}

/** `\d` and similar, `\pL`, `\p{Greek}`. */
function characterSet(text: string): Token | undefined {
  if (/^\\[dDsSwW]/.test(text)) return { length: 2 };
  if (!/^\\[pP]/.test(text)) return undefined;
  const [match, letter, braced] = /^\\[pP](?:([A-Za-z])|\{\^?(\w+)\})/.exec(text) ?? [];
  if (match === undefined || !isUnicodeSet(letter ?? braced ?? '')) {
    throw new GoRegexpError(`invalid character class range: ${match ?? text}`);
  }
  return { length: match.length };
}

/** Whether JavaScript knows a category or script of that name: all that Go knows, and some longer names. */
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

/** An escape of one character. */
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
  // Escaped letters and digits have a meaning or are reserved; other ASCII characters match themselves.
  if (/^\\[\0-\x7f]/.test(text) && !/^\\[0-9A-Za-z]/.test(text)) return { length: 2, character: letter.charCodeAt(0) };
  throw new GoRegexpError(`invalid escape sequence: ${text.slice(0, 2)}`);
}

function literal(text: string): Token {
  const code = text.codePointAt(0) ?? 0;
  return { length: code > 0xffff ? 2 : 1, character: code };
}

/** Largest repetition count in Go, multiplied over nested ones (go/src/regexp/syntax, parse.go). */
const MAX_COUNT = 1000;

/** An open group, or the whole expression. */
interface Frame {
  /** Number of repetitions within the latest operand; undefined if there is no operand to repeat. */
  operand: number | undefined;
  /** The largest of all operands so far. */
  largest: number;
}

/**
 * Returns why Go's `regexp` refuses an expression, in Go's own words; undefined if it compiles.
 *
 * Go's syntax is neither a subset nor a superset of JavaScript's: no look-around, no back references, but `(?i)`, `\z`,
 * `\Q…\E` and `[[:alpha:]]`. Follows `regexp/syntax` with Perl flags, with one exception: groups named `(?<name>…)` are
 * refused, because only Go 1.22 and later know them and Linkerd 2.14 was built with an older one.
 */
export function goRegexpFault(expression: string): string | undefined {
  try {
    parse(expression);
    return undefined;
  } catch (error) {
    if (error instanceof GoRegexpError) return error.message;
    throw error;
  }
}

function parse(expression: string): void {
  const frames: Frame[] = [{ operand: undefined, largest: 1 }];
  let rest = expression;
  let repeated: string | undefined;
  while (rest !== '') {
    const frame = frames.at(-1) as Frame;
    const repetition = repetitionAt(rest);
    if (repetition !== undefined) {
      const { text, count } = repetition;
      if (repeated !== undefined) throw new GoRegexpError(`invalid nested repetition operator: ${repeated}${text}`);
      if (frame.operand === undefined) throw new GoRegexpError(`missing argument to repetition operator: ${text}`);
      frame.operand *= Math.max(count, 1);
      if (frame.operand > MAX_COUNT) throw new GoRegexpError(`invalid repeat count: ${text}`);
      frame.largest = Math.max(frame.largest, frame.operand);
      repeated = text;
      rest = rest.slice(text.length);
      continue;
    }
    repeated = undefined;
    rest = rest.slice(parseToken(rest, frames));
  }
  if (frames.length > 1) throw new GoRegexpError(`missing closing ): ${expression}`);
}

/** Parses one token other than a repetition; returns its length. */
function parseToken(text: string, frames: Frame[]): number {
  const frame = frames.at(-1) as Frame;
  switch (text[0]) {
    case '(':
      return openGroup(text, frames);
    case ')': {
      const closed = frames.length > 1 ? frames.pop() : undefined;
      const outer = frames.at(-1);
      if (closed === undefined || outer === undefined) throw new GoRegexpError(`unexpected ): ${text}`);
      outer.operand = closed.largest;
      outer.largest = Math.max(outer.largest, closed.largest);
      return 1;
    }
    case '|':
      frame.operand = undefined;
      return 1;
    case '[':
      return operand(frame, charClass(text));
    case '\\':
      if (text.startsWith('\\Q')) return quoted(text, frame);
      return operand(frame, single(text));
    default:
      return operand(frame, { length: String.fromCodePoint(text.codePointAt(0) ?? 0).length });
  }
}

function operand(frame: Frame, token: Pick<Token, 'length'>): number {
  frame.operand = 1;
  return token.length;
}

function quoted(text: string, frame: Frame): number {
  const end = text.indexOf('\\E', 2);
  const literal = text.slice(2, end === -1 ? text.length : end);
  if (literal !== '') frame.operand = 1;
  return end === -1 ? text.length : end + 2;
}

function openGroup(text: string, frames: Frame[]): number {
  if (!text.startsWith('(?')) {
    frames.push({ operand: undefined, largest: 1 });
    return 1;
  }
  // A name, or flags: at most one minus, and then at least one flag after it.
  const [opening, name, end] = /^\(\?(?:P<(\w+)>|(?:[imsU]+(?=[-:)]))?(?:-[imsU]+)?([:)]))/.exec(text) ?? [];
  if (opening === undefined) throw new GoRegexpError(`invalid or unsupported Perl syntax: ${text.slice(0, 4)}`);
  if (name !== undefined || end === ':') frames.push({ operand: undefined, largest: 1 });
  return opening.length;
}

function repetitionAt(text: string): { readonly text: string; readonly count: number } | undefined {
  const [simple] = /^[*+?]\??/.exec(text) ?? [];
  if (simple !== undefined) return { text: simple, count: 1 };
  // Anything else is literal text.
  const [counted, low, comma, high] = /^\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}\??/.exec(text) ?? [];
  if (counted === undefined) return undefined;
  const min = Number(low);
  const max = comma === undefined ? min : high === undefined ? -1 : Number(high);
  if (min > MAX_COUNT || max > MAX_COUNT || (max >= 0 && min > max)) {
    throw new GoRegexpError(`invalid repeat count: ${counted}`);
  }
  return { text: counted, count: max < 0 ? min : max };
}
