import { isMap, type Value, type Values } from '../../../../kubernetes/values';

/**
 * Formats data like `toYaml` in Helm's templates (sigs.k8s.io/yaml 1.6, on go-yaml 2): for text inside objects that
 * Helm may have created before. Files are written with `stringifyYaml`.
 */
export function helmYaml(value: Value): string {
  return node(value, 0, 0);
}

/**
 * @param indent - indentation of the value's continuation lines
 * @param column - where on its line the value starts
 */
function node(value: Value, indent: number, column: number): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : list(value, indent);
  if (isMap(value)) return Object.keys(value).length === 0 ? '{}' : map(value, indent);
  if (typeof value === 'string') return helmScalar(value, { indent, column, mayFold: true });
  return typeof value === 'number' ? helmNumber(value) : `${value}`;
}

function list(items: readonly Value[], indent: number): string {
  return items.map((item) => `- ${node(item, indent + 2, indent + 2)}`).join(`\n${' '.repeat(indent)}`);
}

function map(members: Values, indent: number): string {
  const pad = `\n${' '.repeat(indent)}`;
  return Object.keys(members)
    .sort(naturally)
    .map((key) => {
      const name = helmScalar(key, { indent, column: indent, mayFold: false });
      return `${name}:${member(members[key] ?? null, indent, indent + name.length + 2)}`;
    })
    .join(pad);
}

function member(value: Value, indent: number, column: number): string {
  // Lists are not indented below their keys.
  if (Array.isArray(value) && value.length > 0) return `\n${' '.repeat(indent)}${list(value, indent)}`;
  if (isMap(value) && Object.keys(value).length > 0) return `\n${' '.repeat(indent + 2)}${map(value, indent + 2)}`;
  return ` ${node(value, indent + 2, column)}`;
}

const BREAK = /[\n\r\u0085\u2028\u2029]/;

/** Formats a string like go-yaml 2. */
function helmScalar(text: string, place: ScalarPlace): string {
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

/** Whether a string requires double quotes. */
function isEscaped(text: string): boolean {
  return UNPRINTABLE.test(text) || / [\n\r\u0085\u2028\u2029]/.test(text);
}

/** Formats a string as a block. Lines of only spaces are not indented. */
function block(text: string, indent: number): string {
  const hint = /^[ \n\r\u0085\u2028\u2029]/.test(text) ? '2' : '';
  const chomping = text.endsWith('\n') ? (/^\n$|\n\n$/.test(text) ? '+' : '') : '-';
  const pad = ' '.repeat(indent);
  const lines = text.replace(/\n$/, '').split('\n');
  return `|${hint}${chomping}${lines.map((line) => `\n${/^ *$/.test(line) ? '' : pad}${line}`).join('')}`;
}

/** In this range, whole numbers are integers in Go; all others are floating-point numbers. */
const INTEGERS = { min: -(2 ** 63), end: 2 ** 64 };

/** Powers of ten that Go prints without an exponent (strconv.FormatFloat with format `g`). */
const PLAIN_POWERS = { min: -4, end: 6 };

/** Formats a number like go-yaml. */
function helmNumber(value: number): string {
  if (Number.isInteger(value) && value > INTEGERS.min && value < INTEGERS.end) return `${value}`;
  const [digits, exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= PLAIN_POWERS.min && power < PLAIN_POWERS.end) return `${value}`;
  return `${digits}e${power < 0 ? '-' : '+'}${`${Math.abs(power)}`.padStart(2, '0')}`;
}

/** Words with another meaning in YAML 1.1, in the spellings that go-yaml knows. */
const WORDS = new Set(
  ['y', 'yes', 'true', 'on', 'n', 'no', 'false', 'off', 'null']
    .flatMap((word) => [word, word.toUpperCase(), word.replace(/^./, (first) => first.toUpperCase())])
    .concat('', '~', '.nan', '.NaN', '.NAN')
    .concat(['', '+', '-'].flatMap((sign) => ['.inf', '.Inf', '.INF'].map((word) => `${sign}${word}`))),
);

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INTEGER = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|[1-9][0-9]*|0)$/;
/** Minutes and hours in YAML 1.1. go-yaml reads them as text, but quotes them for other parsers. */
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const DATE = /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt ].*)?$/;

/** Whether go-yaml reads an unquoted text as a string, and writes it unquoted. */
function isStringInPlain(text: string): boolean {
  if (WORDS.has(text)) return false;
  if (!/^[-+.0-9]/.test(text)) return true;
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '');
  return ![FLOAT, INTEGER].some((form) => form.test(digits)) && !BASE_60.test(text) && !isDate(text);
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  if (year === '') return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && hasTime(text);
}

function hasTime(text: string): boolean {
  const time = text.replace(/^[0-9-]+/, '');
  if (time === '') return true;
  const clock = '(?:[01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9](?:\\.[0-9]+)?';
  return new RegExp(`^(?:[Tt]${clock}(?:Z|[-+][0-9]{2}:[0-9]{2})| ${clock})$`).test(time);
}

/** The place of a scalar. */
interface ScalarPlace {
  /** Indentation of its continuation lines. */
  readonly indent: number;
  /** The column of its line at which it starts. */
  readonly column: number;
  /** It may be folded into several lines, which keys may not. */
  readonly mayFold: boolean;
}

/**
 * Characters that go-yaml escapes: control characters, including tabs, the byte order mark, and those beyond U+FFFF.
 */
const UNPRINTABLE = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

/** Column after which go-yaml breaks a line at the next space. */
const WIDTH = 80;

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** Formats an unquoted text, broken at spaces if it is long. */
function foldable(text: string, place: ScalarPlace): string {
  return folded([...text], place, (index, characters) => characters[index + 1] !== ' ');
}

function quotedSingle(text: string, place: ScalarPlace): string {
  const characters = [...text].map((character) => (character === "'" ? "''" : character));
  const inner = folded(
    characters,
    { ...place, column: place.column + 1 },
    (index) => index > 0 && index < characters.length - 1 && characters[index + 1] !== ' ',
  );
  return `'${inner}'`;
}

function quotedDouble(text: string, place: ScalarPlace): string {
  const characters = [...text].map(escaped);
  const inner = folded(
    characters,
    { ...place, column: place.column + 1 },
    (index) => index > 0 && index < characters.length - 1,
    // A space at the start of a line would be read as indentation.
    (index) => (characters[index + 1] === ' ' ? '\\' : ''),
  );
  return `"${inner}"`;
}

function escaped(character: string): string {
  if (!UNPRINTABLE.test(character) && !/["\\\n\u2028\u2029]/.test(character)) return character;
  const short = ESCAPES[character];
  if (short !== undefined) return `\\${short}`;
  const code = character.codePointAt(0) ?? 0;
  const hexadecimal = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hexadecimal.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hexadecimal.padStart(4, '0')}` : `\\U${hexadecimal.padStart(8, '0')}`;
}

/** Breaks a line at the first of some spaces, wherever the line is long and may be broken. */
function folded(
  characters: readonly string[],
  { indent, column, mayFold }: ScalarPlace,
  mayBreak: (index: number, characters: readonly string[]) => boolean,
  afterBreak: (index: number) => string = () => '',
): string {
  let text = '';
  let position = column;
  let afterSpace = false;
  for (const [index, character] of characters.entries()) {
    const isSpace = character === ' ';
    if (isSpace && mayFold && !afterSpace && position > WIDTH && mayBreak(index, characters)) {
      const start = afterBreak(index);
      text += `\n${' '.repeat(indent)}${start}`;
      position = indent + start.length;
    } else {
      text += character;
      position += [...character].length;
    }
    afterSpace = isSpace;
  }
  return text;
}

/** Compares keys in go-yaml's order: numbers in them by value, other characters before letters. */
function naturally(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const index = a.findIndex((character, position) => character !== b[position]);
  if (index === -1 || index >= b.length) return a.length - b.length;
  return characters(a, b, index);
}

function characters(a: readonly string[], b: readonly string[], index: number): number {
  const [x = '', y = ''] = [a[index], b[index]];
  const [isLetterX, isLetterY] = [isLetter(x), isLetter(y)];
  if (isLetterX !== isLetterY) return isLetterX ? 1 : -1;
  if (isLetterX) return byCodePoint(x, y);
  const [m, n] = [digitsFrom(a, index), digitsFrom(b, index)];
  // After a digit zeros are significant: 10 is more than 9, but 01 is 1.
  const lead = (x === '0' || y === '0') && followsNumber(a, index) ? '1' : '';
  const difference = Number(`${lead}${m}` || '0') - Number(`${lead}${n}` || '0');
  return difference || m.length - n.length || byCodePoint(x, y);
}

function digitsFrom(text: readonly string[], index: number): string {
  const end = text.findIndex((character, position) => position >= index && !isDigit(character));
  return text.slice(index, end === -1 ? text.length : end).join('');
}

function followsNumber(text: readonly string[], index: number): boolean {
  for (let position = index - 1; position >= 0 && isDigit(text[position] ?? ''); position -= 1) {
    if (text[position] !== '0') return true;
  }
  return false;
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function isDigit(character: string): boolean {
  return /[0-9]/.test(character);
}

function byCodePoint(x: string, y: string): number {
  return (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
}
