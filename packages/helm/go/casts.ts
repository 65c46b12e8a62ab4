import { GoInt, type GoValue } from './values';

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** Converts any value to `int64`; 0 if that is impossible. */
export function toInt64(value: GoValue): bigint {
  if (value instanceof GoInt) return BigInt.asIntN(64, value.value);
  if (typeof value === 'number') return truncate(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'string') return parseInteger(withoutZeroDecimals(value)) ?? 0n;
  return 0n;
}

/** Converts any value to `float64`; 0 if that is impossible. */
export function toFloat64(value: GoValue): number {
  if (typeof value === 'number') return value;
  if (value instanceof GoInt) return Number(value.value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') return parseFloat64(value) ?? 0;
  return 0;
}

/** Converts a float to `int64` as amd64 does: a value out of range becomes the smallest integer. */
function truncate(value: number): bigint {
  if (!Number.isFinite(value)) return MIN_INT64;
  const integer = BigInt(Math.trunc(value));
  return integer < MIN_INT64 || integer > MAX_INT64 ? MIN_INT64 : integer;
}

/** Removes decimals of only zeros, as the Go package `cast` does, which sprig uses: `1.000` is 1. */
function withoutZeroDecimals(text: string): string {
  return /^(.*?)\.0+$/s.exec(text)?.[1] ?? text;
}

const DIGITS: Readonly<Record<number, RegExp>> = {
  2: /^[01]+$/,
  8: /^[0-7]+$/,
  10: /^[0-9]+$/,
  16: /^[0-9a-fA-F]+$/,
};

/**
 * Reads an integer as Go's `strconv.ParseInt` with base 0: by its prefix, with underscores between digits. Undefined if
 * the text is not an integer of 64 bits.
 */
export function parseInteger(text: string): bigint | undefined {
  const parsed = parseAnyInteger(text);
  return parsed === undefined || parsed < MIN_INT64 || parsed > MAX_INT64 ? undefined : parsed;
}

/** Reads an unsigned integer as Go's `strconv.ParseUint` with base 0. */
export function parseUnsigned(text: string): bigint | undefined {
  if (/^[+-]/.test(text)) return undefined;
  const parsed = parseAnyInteger(text);
  return parsed === undefined || parsed >= 2n ** 64n ? undefined : parsed;
}

function parseAnyInteger(text: string): bigint | undefined {
  const [, sign, prefix = '', body = ''] = /^([+-]?)(0[xXbBoO]|0(?=.))?(.*)$/s.exec(text) ?? [];
  if (!areUnderscoresBetweenDigits(prefix, body)) return undefined;
  const base = baseOf(prefix);
  const digits = body.replaceAll('_', '');
  if (digits.length > 70 || !DIGITS[base]?.test(digits)) return parseLong(digits, base, sign === '-');
  return parseDigits(digits, base, sign === '-');
}

/** Reads a number with more digits than 64 bits hold, which fits only with leading zeros. */
function parseLong(digits: string, base: number, isNegative: boolean): bigint | undefined {
  if (!DIGITS[base]?.test(digits)) return undefined;
  const rest = digits.replace(/^0+(?=.)/, '');
  // A placeholder above all limits.
  return rest.length > 70 ? 2n ** 200n : parseDigits(rest, base, isNegative);
}

function baseOf(prefix: string): number {
  if (prefix === '') return 10;
  const letter = prefix[1]?.toLowerCase();
  return letter === 'x' ? 16 : letter === 'b' ? 2 : 8;
}

function areUnderscoresBetweenDigits(prefix: string, body: string): boolean {
  if (!body.includes('_')) return true;
  // An underscore may directly follow a prefix.
  return /^_?[0-9a-fA-F]+(_[0-9a-fA-F]+)*$/.test(body) && (prefix !== '' || !body.startsWith('_'));
}

/** Reads the digits of a base. */
export function parseDigits(digits: string, base: number, isNegative = false): bigint {
  const prefix = { 2: '0b', 8: '0o', 16: '0x' }[base] ?? '';
  const value = BigInt(prefix + digits);
  return isNegative ? -value : value;
}

/** Reads a decimal number of 64 bits; 0 for other texts, and the nearest limit for numbers out of range. */
export function atoi(text: string): bigint {
  const [, sign, all = ''] = /^([+-]?)(\d+)$/.exec(text) ?? [];
  const digits = all.replace(/^0+/, '').slice(0, 20);
  const value = BigInt(digits) * (sign === '-' ? -1n : 1n);
  if (value > MAX_INT64) return MAX_INT64;
  return value < MIN_INT64 ? MIN_INT64 : value;
}

/** Reads a float as Go's `strconv.ParseFloat`; undefined if that refuses the text. */
export function parseFloat64(text: string): number | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) return specialFloat(special[1] === '-', special[2] ?? '');
  if (/(?<!\d)_|_(?!\d)/.test(text)) return parseHexFloat(text);
  const plain = text.replaceAll('_', '');
  if (/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return finite(Number(plain));
  return parseHexFloat(text);
}

function specialFloat(isNegative: boolean, name: string): number {
  if (name.toLowerCase() === 'nan') return Number.NaN;
  return isNegative ? -Infinity : Infinity;
}

/** A hexadecimal float needs its exponent: `0x1p-2`. */
function parseHexFloat(underscored: string): number | undefined {
  if (/(?<![0-9a-fA-FxX])_|_(?![0-9a-fA-F])/.test(underscored)) return undefined;
  const text = underscored.replaceAll('_', '');
  const match = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)p([+-]?\d+)$/i.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole + fraction === '' || whole.length + fraction.length > 13) return undefined;
  const mantissa = Number.parseInt(whole + fraction, 16);
  const value = mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
  return finite(sign === '-' ? -value : value);
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
