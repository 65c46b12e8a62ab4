import { FunctionError } from '../go/values';

/** An exact decimal number, `coefficient * 10 ^ exponent`. sprig computes `addf` and similar functions with these. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

/** Returns the shortest decimal number that a float prints as. @throws for infinity and NaN */
export function decimalOf(value: number): Decimal {
  if (!Number.isFinite(value)) throw new FunctionError(`Cannot create a Decimal from ${infinite(value)}`);
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function infinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

export function floatOf({ coefficient, exponent }: Decimal): number {
  return Number(`${coefficient}e${exponent}`);
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [
    a.coefficient * 10n ** BigInt(a.exponent - exponent),
    b.coefficient * 10n ** BigInt(b.exponent - exponent),
    exponent,
  ];
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const [x, y, exponent] = aligned(a, b);
  return { coefficient: x + y, exponent };
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const [x, y, exponent] = aligned(a, b);
  return { coefficient: x - y, exponent };
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}

const DIVISION_PRECISION = 16;

/** Divides to 16 digits after the point, rounding half away from zero. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  if (b.coefficient === 0n) throw new FunctionError('decimal division by 0');
  const shift = a.exponent - b.exponent + DIVISION_PRECISION;
  const dividend = shift > 0 ? a.coefficient * 10n ** BigInt(shift) : a.coefficient;
  const divisor = shift < 0 ? b.coefficient * 10n ** BigInt(-shift) : b.coefficient;
  return { coefficient: divideHalfUp(dividend, divisor), exponent: -DIVISION_PRECISION };
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [n, d] = [magnitude(dividend), magnitude(divisor)];
  const quotient = (2n * n + d) / (2n * d);
  return isNegative ? -quotient : quotient;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
