import { formatFloat } from './float-format';
import { bytesOf, runeCount } from './go-string';
import { canBackquote, isPrint, quote, quoteRune } from './quote';

/** The part of a directive between `%` and its verb. */
export interface FormatFlags {
  width?: number;
  precision?: number;
  minus: boolean;
  plus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%+v`. */
  plusV: boolean;
  /** `%#v`, which prints Go syntax. */
  sharpV: boolean;
}

/** Returns flags, none of which is set. */
export function noFlags(): FormatFlags {
  return { minus: false, plus: false, sharp: false, space: false, zero: false, plusV: false, sharpV: false };
}

const MAX_RUNE = 0x10ffffn;

/** Pads a text to the width. */
export function pad(text: string, flags: FormatFlags): string {
  const padding = (flags.width ?? 0) - runeCount(text);
  if (padding <= 0) return text;
  if (flags.minus) return text + ' '.repeat(padding);
  return (flags.zero ? '0' : ' ').repeat(padding) + text;
}

/** Formats a string by `%s`. */
export function formatString(text: string, flags: FormatFlags): string {
  return pad(truncate(text, flags), flags);
}

/** Formats a string by `%q`. */
export function formatQuoted(text: string, flags: FormatFlags): string {
  const truncated = truncate(text, flags);
  if (flags.sharp && canBackquote(truncated)) return pad(`\`${truncated}\``, flags);
  return pad(quote(truncated, flags.plus), flags);
}

/** Formats the bytes of a string by `%x` or `%X`. */
export function formatBytes(text: string, verb: string, flags: FormatFlags): string {
  const bytes = bytesOf(text);
  const shown = bytes.subarray(0, flags.precision ?? bytes.length);
  if (shown.length === 0) return flags.width === undefined ? '' : pad('', flags);
  const prefix = flags.sharp ? '0x' : '';
  const digits = shown.toString('hex');
  const hex = prefix + (flags.space ? digits.replace(/..(?=.)/g, `$& ${prefix}`) : digits);
  return pad(verb === 'X' ? hex.toUpperCase() : hex, flags);
}

/** Formats an integer by `%c`. */
export function formatRune(value: bigint, flags: FormatFlags): string {
  return pad(String.fromCodePoint(runeOf(value)), flags);
}

/** Formats an integer by `%q`. */
export function formatQuotedRune(value: bigint, flags: FormatFlags): string {
  return pad(quoteRune(runeOf(value), flags.plus), flags);
}

/** Formats an integer by `%U`. */
export function formatUnicode(value: bigint, flags: FormatFlags): string {
  const unsigned = BigInt.asUintN(64, value);
  const digits = unsigned
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(flags.precision ?? 4, 4), '0');
  const shows = flags.sharp && unsigned <= MAX_RUNE && isPrint(Number(unsigned));
  const character = shows ? ` '${String.fromCodePoint(Number(unsigned))}'` : '';
  return pad(`U+${digits}${character}`, { ...flags, zero: false });
}

const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['b', '0b'],
  ['x', '0x'],
  ['X', '0X'],
]);

const BASES: ReadonlyMap<string, number> = new Map([
  ['b', 2],
  ['o', 8],
  ['O', 8],
  ['x', 16],
  ['X', 16],
]);

/** Formats an integer by `%d`, `%b`, `%o`, `%O`, `%x`, `%X` or `%v`. */
export function formatInteger(value: bigint, verb: string, flags: FormatFlags): string {
  const withoutZero = { ...flags, zero: false };
  if (flags.precision === 0 && value === 0n) return pad('', withoutZero);
  const sign = signOf(value < 0n, flags);
  const size = (value < 0n ? -value : value).toString(BASES.get(verb) ?? 10);
  let digits = (verb === 'X' ? size.toUpperCase() : size).padStart(leastDigits(sign, flags), '0');
  if (flags.sharp) digits = withPrefix(digits, verb);
  if (verb === 'O') digits = `0o${digits}`;
  return pad(sign + digits, withoutZero);
}

function leastDigits(sign: string, flags: FormatFlags): number {
  if (flags.precision !== undefined) return flags.precision;
  return flags.zero && !flags.minus && flags.width !== undefined ? flags.width - sign.length : 0;
}

function withPrefix(digits: string, verb: string): string {
  if (verb === 'o' || verb === 'O') return digits.startsWith('0') ? digits : `0${digits}`;
  return (PREFIXES.get(verb) ?? '') + digits;
}

function signOf(isNegative: boolean, flags: FormatFlags): string {
  if (isNegative) return '-';
  if (flags.plus) return '+';
  return flags.space ? ' ' : '';
}

/** Formats a float by a verb. `defaultPrecision` -1 writes the fewest digits that identify the number. */
export function formatFloatVerb(value: number, verb: string, defaultPrecision: number, flags: FormatFlags): string {
  const precision = flags.precision ?? defaultPrecision;
  const formatted = formatFloat(value, verb, precision);
  const isNegative = formatted.startsWith('-');
  const unsigned = /^[+-]/.test(formatted) ? formatted.slice(1) : formatted;
  if (!Number.isFinite(value)) return pad(infinity(unsigned, isNegative, flags), { ...flags, zero: false });
  const number = flags.sharp && verb !== 'b' ? withPoint(unsigned, verb, precision) : unsigned;
  const sign = signOf(isNegative, flags);
  const width = flags.width ?? 0;
  // Padding zeros go between the sign and the number.
  if (flags.zero && !flags.minus && sign !== '') return sign + number.padStart(width - sign.length, '0');
  return pad(sign + number, flags);
}

/** Infinity always has a sign, NaN only with a flag. */
function infinity(name: string, isNegative: boolean, flags: FormatFlags): string {
  const sign = signOf(isNegative, flags);
  return (name === 'Inf' && sign === '' ? '+' : sign) + name;
}

function withPoint(number: string, verb: string, precision: number): string {
  const isHex = verb === 'x' || verb === 'X';
  const tailStart = number.search(isHex ? /p/i : /e/i);
  const tail = tailStart < 0 ? '' : number.slice(tailStart);
  const head = tailStart < 0 ? number : number.slice(0, tailStart);
  let missing = 0;
  if (verb === 'g' || verb === 'G' || verb === 'x') {
    missing = (precision < 0 ? 6 : precision) - significantDigits(head);
  }
  if (head.includes('.')) return head + '0'.repeat(Math.max(missing, 0)) + tail;
  if (head === '0') missing -= 1;
  return `${head}.${'0'.repeat(Math.max(missing, 0))}${tail}`;
}

/** Counts digits as Go does: all characters from the first one that is neither a zero nor the point. */
function significantDigits(head: string): number {
  const first = head.search(/[^0.]/);
  return first < 0 ? 0 : head.slice(first).replace('.', '').length;
}

function truncate(text: string, { precision }: FormatFlags): string {
  if (precision === undefined || text.length <= precision) return text;
  return Array.from(text.slice(0, precision * 2))
    .slice(0, precision)
    .join('');
}

function runeOf(value: bigint): number {
  const unsigned = BigInt.asUintN(64, value);
  if (unsigned > MAX_RUNE || (unsigned >= 0xd800n && unsigned <= 0xdfffn)) return 0xfffd;
  return Number(unsigned);
}
