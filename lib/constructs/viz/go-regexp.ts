import { charClass, GoRegexpError, single, type Token } from './go-regexp-class';

/** Largest count that Go allows in a repetition, nested ones multiplied (go/src/regexp/syntax, parse.go). */
const MAX_COUNT = 1000;

/** A group that is still open, or the whole expression. */
interface Frame {
  /** Number of repetitions of the latest operand within itself; undefined where a repetition would have none. */
  operand: number | undefined;
  /** The largest of all operands so far. */
  largest: number;
}

/**
 * Returns why Go's `regexp` refuses an expression, in its own words; undefined where it compiles.
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

/** Takes one token that is no repetition; returns its length. */
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
  // What does not have exactly this form is literal text.
  const [counted, low, comma, high] = /^\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}\??/.exec(text) ?? [];
  if (counted === undefined) return undefined;
  const min = Number(low);
  const max = comma === undefined ? min : high === undefined ? -1 : Number(high);
  if (min > MAX_COUNT || max > MAX_COUNT || (max >= 0 && min > max)) {
    throw new GoRegexpError(`invalid repeat count: ${counted}`);
  }
  return { text: counted, count: max < 0 ? min : max };
}
