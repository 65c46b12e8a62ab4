import type { JsonValue } from './objects';

/**
 * Prefix of a text that replaces a number in a schema that no float represents. Helm's validator compares exact
 * numbers of the schema with the decimal text of values.
 */
const MARK = '\ue001';

/** A number or a string in JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;

/** Longer numbers, and numbers with larger exponents, are compared as floats. */
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

/** Returns the number that a marked text replaces, as written in the schema; undefined for other values. */
export function markedNumber(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : undefined;
}

/** Returns a message with numbers in place of their marked texts. */
export function unmarkedText(message: string): string {
  return message.replace(new RegExp(`"?${MARK}([\\d.eE+-]+)"?`, 'g'), '$1');
}

/** Keywords that limit numbers. Each decides by the sign of the number minus the limit. */
export const LIMITS = {
  minimum: (sign: number) => sign >= 0,
  maximum: (sign: number) => sign <= 0,
  exclusiveMinimum: (sign: number) => sign > 0,
  exclusiveMaximum: (sign: number) => sign < 0,
} as const;

/** Whether the decimal text of a float is within an exact limit. */
export function isWithin(keyword: keyof typeof LIMITS, limit: string, data: number): boolean {
  const [one, other] = [decimalOf(String(data)), decimalOf(limit)];
  return one === undefined || other === undefined || LIMITS[keyword](comparison(one, other));
}

/** Whether the decimal text of a float is a multiple of a number. */
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

/** Returns the sign of `a - b`. */
function comparison(a: Decimal, b: Decimal): number {
  const [x, y] = aligned(a, b);
  return x < y ? -1 : Number(x > y);
}
