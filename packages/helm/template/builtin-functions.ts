import { byteLength, bytesOf, sliceBytes } from '../go/go-string';
import { goSprint, goSprintf, goSprintln } from '../go/print';
import { isPrint } from '../go/quote';
import { elementsOf, entriesOf, isGoObject, isTrue, mapElement, typeOf } from '../go/reflect';
import { type Budget, FunctionError, type GoFunction, type GoFunctions, GoInt, type GoValue } from '../go/values';
import { equalsAny, isLess } from './comparison';

type Call = GoFunction['call'];

/** The predefined functions of Go's templates. */
export const builtinFunctions: GoFunctions = new Map<string, GoFunction>([
  ['and', ofValues(1, (args) => args.find((value) => !isTrue(value)) ?? args.at(-1))],
  ['or', ofValues(1, (args) => args.find(isTrue) ?? args.at(-1))],
  ['not', exactly(1, ([value]) => !isTrue(value))],
  ['call', ofValues(1, callFunction)],
  ['index', ofValues(1, ([item, ...indexes]) => indexes.reduce(indexItem, requireItem(item)))],
  ['slice', ofValues(1, sliceItem)],
  ['len', exactly(1, ([item]) => new GoInt(BigInt(lengthOf(item))))],
  ['print', ofAny((args, budget) => goSprint(args, budget))],
  ['println', ofAny((args, budget) => goSprintln(args, budget))],
  [
    'printf',
    {
      parameters: ['string'],
      rest: 'any',
      call: ([format, ...args], budget) => goSprintf(String(format), args, budget),
    },
  ],
  ['html', ofAny((args, budget) => escapeHtml(printAll(args, budget)))],
  ['js', ofAny((args, budget) => escapeJs(printAll(args, budget)))],
  ['urlquery', ofAny((args, budget) => escapeUrlQuery(printAll(args, budget)))],
  ['eq', ofValues(1, ([first, ...others], budget) => equalsAny(first, others, budget))],
  ['ne', exactly(2, ([first, second], budget) => !equalsAny(first, [second], budget))],
  ['lt', exactly(2, ([first, second]) => isLess(first, second))],
  ['le', exactly(2, ([first, second], budget) => isLess(first, second) || equalsAny(first, [second], budget))],
  ['gt', exactly(2, ([first, second], budget) => !isLess(first, second) && !equalsAny(first, [second], budget))],
  ['ge', exactly(2, ([first, second]) => !isLess(first, second))],
]);

function exactly(count: number, call: Call): GoFunction {
  return { parameters: Array.from({ length: count }, () => 'value' as const), call };
}

function ofValues(least: number, call: Call): GoFunction {
  return { ...exactly(least, call), rest: 'value' };
}

function ofAny(call: Call): GoFunction {
  return { parameters: [], rest: 'any', call };
}

/** Always fails, because no value of a template is a function. */
function callFunction([name, value]: readonly GoValue[]): never {
  if (value === undefined || value === null) throw new FunctionError('call of nil');
  throw new FunctionError(`non-function ${String(name)} of type ${typeOf(value)}`);
}

/** Joins the arguments of an escaping function as `print` does. Nil becomes `<no value>`, as in an action. */
function printAll(args: readonly GoValue[], budget: Budget): string {
  return goSprint(
    args.map((value) => value ?? '<no value>'),
    budget,
  );
}

function requireItem(item: GoValue): GoValue {
  if (item === undefined || item === null) throw new FunctionError('index of untyped nil');
  return item;
}

function indexItem(item: GoValue, index: GoValue): GoValue {
  if (item === undefined || item === null) throw new FunctionError('index of nil pointer');
  if (entriesOf(item) !== undefined) return mapElement(item, keyOf(index));
  const elements = typeof item === 'string' ? bytesOf(item) : elementsOf(item);
  if (elements === undefined) throw new FunctionError(`can't index item of type ${typeOf(item)}`);
  const position = positionOf(index, elements.length);
  if (position >= elements.length) {
    throw new FunctionError(`reflect: ${typeof item === 'string' ? 'string' : 'slice'} index out of range`);
  }
  const element = elements[position];
  if (typeof item === 'string') return new GoInt(BigInt(Number(element)), 'uint8');
  return elementsOf(item)?.[position] ?? null;
}

function keyOf(index: GoValue): string {
  if (typeof index === 'string') return index;
  if (index === undefined || index === null) throw new FunctionError('value is nil; should be of type string');
  throw new FunctionError(`value has type ${typeOf(index)}; should be string`);
}

function positionOf(index: GoValue, length: number): number {
  if (index === undefined || index === null) throw new FunctionError('cannot index slice/array with nil');
  if (!(index instanceof GoInt)) throw new FunctionError(`cannot index slice/array with type ${typeOf(index)}`);
  if (index.value < 0n || index.value > BigInt(length)) {
    throw new FunctionError(`index out of range: ${BigInt.asIntN(64, index.value)}`);
  }
  return Number(index.value);
}

/** Returns a slice of an item. The capacity of a slice counts as equal to its length. */
function sliceItem([item, ...indexes]: readonly GoValue[]): GoValue {
  if (item === undefined || item === null) throw new FunctionError('slice of untyped nil');
  if (indexes.length > 3) throw new FunctionError(`too many slice indexes: ${indexes.length}`);
  const elements = elementsOf(item);
  if (typeof item === 'string' && indexes.length === 3) throw new FunctionError('cannot 3-index slice a string');
  if (typeof item !== 'string' && elements === undefined) {
    throw new FunctionError(`can't slice item of type ${typeOf(item)}`);
  }
  const length = typeof item === 'string' ? byteLength(item) : (elements?.length ?? 0);
  const [start = 0, end = length, limit = length] = indexes.map((index) => positionOf(index, length));
  if (start > end) throw new FunctionError(`invalid slice index: ${start} > ${end}`);
  if (end > limit) throw new FunctionError(`invalid slice index: ${end} > ${limit}`);
  if (typeof item === 'string') return sliceBytes(item, start, end);
  const part = elements?.slice(start, end) ?? [];
  return isGoObject(item) ? { ...item, data: part } : part;
}

function lengthOf(item: GoValue): number {
  if (typeof item === 'string') return byteLength(item);
  if (item === undefined) throw new FunctionError('reflect: call of reflect.Value.Type on zero Value');
  if (item === null) throw new FunctionError('len of nil pointer');
  const length = elementsOf(item)?.length ?? entriesOf(item)?.size;
  if (length === undefined) throw new FunctionError(`len of type ${typeOf(item).replace(/^\*/, '')}`);
  return length;
}

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

function escapeHtml(text: string): string {
  return text.replace(HTML_SPECIAL, (character) => HTML_ESCAPES.get(character) ?? character);
}

function escapeJs(text: string): string {
  return text.replace(JS_SPECIAL, (character) => JS_ESCAPES.get(character) ?? escapeRune(character));
}

function escapeUrlQuery(text: string): string {
  return Array.from(bytesOf(text), escapeByte).join('');
}

function escapeRune(character: string): string {
  const rune = character.codePointAt(0) ?? 0;
  if (rune >= 0x80 && isPrint(rune)) return character;
  // A byte that is not UTF-8 becomes the replacement character, which is printable.
  if (rune >= 0xd800 && rune <= 0xdfff) return '\ufffd';
  return `\\u${rune.toString(16).toUpperCase().padStart(4, '0')}`;
}

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (/[\w.~-]/.test(character)) return character;
  return character === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
