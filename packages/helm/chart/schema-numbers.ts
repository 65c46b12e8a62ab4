import type { JsonValue } from './objects';

/**
 * Begins a text that replaces a number of a schema that a float cannot represent: the validator of Helm compares exact
 * numbers, and values as they print.
 */
const MARK = '\ue001';

/** A number in JSON, or a text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;

/** Longer ones, and those with larger exponents, count as floats. */
const MAX_DIGITS = 400;

interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

/** Replaces numbers of a schema that a float cannot represent with marked texts. */
export function markedNumbers(json: string): string {
  if (!/\d{16}|\d\.\d{8}/.test(json)) return json;
  return json.replace(TOKEN, (token) => (isOtherAsFloat(token) ? `"${MARK}${token}"` : token));
}

function isOtherAsFloat(token: string): boolean {
  const exact = token.startsWith('"') ? undefined : decimalOf(token);
  return exact !== undefined && comparison(exact, decimalOf(String(Number(token))) ?? exact) !== 0;
}

/** The number that a text stands for, as a schema has it; undefined for other values. */
export function markedNumber(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : undefined;
}

/** Returns a message with numbers in place of their marked texts. */
export function unmarkedText(message: string): string {
  return message.replace(new RegExp(`"?${MARK}([\\d.eE+-]+)"?`, 'g'), '$1');
}

/** Keywords about numbers, and whether they accept a number, by the sign of its difference to the limit. */
export const LIMITS = {
  minimum: (sign: number) => sign >= 0,
  maximum: (sign: number) => sign <= 0,
  exclusiveMinimum: (sign: number) => sign > 0,
  exclusiveMaximum: (sign: number) => sign < 0,
} as const;

/** Whether a float, as it prints, is on the right side of an exact limit. */
export function isWithin(keyword: keyof typeof LIMITS, limit: string, data: number): boolean {
  const [one, other] = [decimalOf(String(data)), decimalOf(limit)];
  return one === undefined || other === undefined || LIMITS[keyword](comparison(one, other));
}

/** Whether a float, as it prints, is a multiple of a number. */
export function isMultiple(of: number | string, data: number): boolean {
  const [value, factor] = [decimalOf(String(data)), decimalOf(String(of))];
  if (value === undefined || factor === undefined || factor.coefficient === 0n) return false;
  const [dividend, divisor] = aligned(value, factor);
  return dividend % divisor === 0n;
}

function decimalOf(text: string): Decimal | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === '' || whole.length + fraction.length > MAX_DIGITS || Math.abs(Number(exponent)) > MAX_DIGITS) {
    return undefined;
  }
  return { coefficient: BigInt(`${sign}${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
}

function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.coefficient * 10n ** BigInt(a.exponent - exponent), b.coefficient * 10n ** BigInt(b.exponent - exponent)];
}

/** The sign of the difference. */
function comparison(a: Decimal, b: Decimal): number {
  const [x, y] = aligned(a, b);
  return x < y ? -1 : Number(x > y);
}
