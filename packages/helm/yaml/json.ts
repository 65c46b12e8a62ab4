import { MAX_DEPTH } from '#base/max-depth';
import { CHARACTERS_PER_STEP, Room, spendToWrite, stepsToMake, UNLIMITED } from '../go/budget';
import { compareStrings } from '../go/go-string';
import { elementsOf, entriesOf, isGoObject, NIL_LIST, NilMap } from '../go/reflect';
import { DeclaredFields } from '../go/struct-object';
import { bytesIn } from '../go/typed-values';
import { type Budget, FunctionError, GoInt, type GoValue } from '../go/values';
import { describeJsonProblem } from './json-problem';

/** Writes a value as Go's `json.Marshal` does: with keys in order, and the markup characters of HTML escaped. */
export function writeJson(value: GoValue, budget: Budget): string {
  spendToWrite(value, budget);
  return write(value, { escape: escapeForHtml, room: new Room() });
}

/** Writes JSON without the escapes for HTML. */
export function writeRawJson(value: GoValue, budget: Budget): string {
  spendToWrite(value, budget);
  return write(value, { escape: escapeText, room: new Room() });
}

/** Writes JSON on several lines, with two spaces for each level. */
export function writePrettyJson(value: GoValue, budget: Budget): string {
  spendToWrite(value, budget);
  return write(value, { escape: escapeForHtml, indent: '  ', room: new Room() });
}

interface Style {
  readonly escape: (text: string) => string;
  readonly indent?: string;
  readonly room: Room;
}

function write(value: GoValue, style: Style, depth = 0): string {
  if (value === undefined || value === null || value instanceof NilMap) return 'null';
  if (typeof value === 'string') return `"${style.escape(value)}"`;
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof GoInt) return value.value.toString();
  return writeNested(value, style, depth);
}

function writeNested(value: GoValue, style: Style, depth: number): string {
  const bytes = bytesIn(value);
  if (bytes !== undefined) return `"${Buffer.from(bytes).toString('base64')}"`;
  const elements = elementsOf(value);
  if (elements !== undefined) {
    if (elements === NIL_LIST) return 'null';
    return enclosed(
      '[',
      ']',
      elements.map((element) => write(element, style, depth + 1)),
      { style, depth },
    );
  }
  const entries = entriesOf(value);
  if (entries instanceof NilMap) return 'null';
  if (entries !== undefined) {
    const colon = style.indent === undefined ? ':' : ': ';
    const ordered = [...entries];
    if (!(entries instanceof DeclaredFields)) ordered.sort(([a], [b]) => compareStrings(a, b));
    const members = ordered.map(
      ([key, element]) => `"${style.escape(key)}"${colon}${write(element, style, depth + 1)}`,
    );
    return enclosed('{', '}', members, { style, depth });
  }
  return isGoObject(value) ? write(value.data, style, depth) : 'null';
}

function enclosed(open: string, close: string, parts: readonly string[], at: { style: Style; depth: number }): string {
  const { indent } = at.style;
  if (indent === undefined || parts.length === 0) return open + parts.join(',') + close;
  const inner = `\n${indent.repeat(at.depth + 1)}`;
  at.style.room.take(inner.length * parts.length);
  return `${open}${inner}${parts.join(`,${inner}`)}\n${indent.repeat(at.depth)}${close}`;
}

/** Formats a number as ECMAScript does, except that Go keeps the sign of -0. @throws for infinity and NaN */
function writeNumber(value: number): string {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
    throw new FunctionError(`json: unsupported value: ${name}`);
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these characters.
const ESCAPED = /["\\\0-\x1f\u2028\u2029\ud800-\udfff]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these characters.
const ESCAPED_FOR_HTML = /["\\\0-\x1f\u2028\u2029\ud800-\udfff<>&]/gu;

function escapeText(text: string): string {
  return text.replace(ESCAPED, escapeCharacter);
}

function escapeForHtml(text: string): string {
  return text.replace(ESCAPED_FOR_HTML, escapeCharacter);
}

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Escapes a character. A lone surrogate stands for a byte that is not UTF-8, for which Go writes U+FFFD. */
function escapeCharacter(character: string): string {
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return short;
  const code = character.charCodeAt(0);
  return `\\u${(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code).toString(16).padStart(4, '0')}`;
}

/** Reads JSON as Go's `json.Unmarshal` does: numbers as floats. @throws if it is not JSON, or JsonOverflow */
export function readJson(text: string, budget: Budget = UNLIMITED): GoValue {
  budget.spend(text.length / CHARACTERS_PER_STEP);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.toWellFormed());
  } catch {
    throw new FunctionError(describeJsonProblem(text));
  }
  const value = fromPlain(parsed, budget, 0);
  const overflow = /\d{309}|[eE]\+?\d{3}/.test(text) ? overflowIn(text) : undefined;
  if (overflow !== undefined) throw new JsonOverflow(overflow, value);
  return value;
}

/** Thrown for a number that is too large for a float. Go reads it as null, and reads the rest: `value`. */
export class JsonOverflow extends FunctionError {
  constructor(
    number: string,
    readonly value: GoValue,
  ) {
    super(`json: cannot unmarshal number ${number} into Go value of type float64`);
  }
}

function overflowIn(text: string): string | undefined {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs)) {
    if (!token.startsWith('"') && !Number.isFinite(Number(token))) return token;
  }
  return undefined;
}

/** Converts the result of JSON.parse, whose objects have all keys as own properties, even `__proto__`. */
function fromPlain(value: unknown, budget: Budget, depth: number): GoValue {
  if (depth > MAX_DEPTH) throw new FunctionError('exceeded max depth');
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' && !Number.isFinite(value)) return depth === 0 ? 0 : null;
  if (typeof value !== 'object' || value === null) return value as null | boolean | number;
  const made = Array.isArray(value)
    ? value.map((element) => fromPlain(element, budget, depth + 1))
    : new Map(
        Object.entries(value).map(([key, element]) => [key.toWellFormed(), fromPlain(element, budget, depth + 1)]),
      );
  budget.spend(1 + stepsToMake(made));
  return made;
}
