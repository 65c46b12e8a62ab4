import { atoi, parseDigits, toFloat64, toInt64 } from '../go/casts';
import { define, defineVariadic, goInt, goInt64 } from '../go/define';
import { goPrint } from '../go/print';
import type { Budget, GoFunctions, GoValue } from '../go/values';
import { FunctionError } from '../go/values';
import {
  addDecimals,
  type Decimal,
  decimalOf,
  divideDecimals,
  floatOf,
  multiplyDecimals,
  subtractDecimals,
} from './decimals';
import { numbersUntil } from './lists';

const DIVIDE_BY_ZERO = 'runtime error: integer divide by zero';

function divisor(value: GoValue): bigint {
  const number = toInt64(value);
  if (number === 0n) throw new FunctionError(DIVIDE_BY_ZERO);
  return number;
}

/** Folds values in steps whose results wrap around, as in Go. */
function fold(start: bigint, values: readonly GoValue[], step: (a: bigint, b: bigint) => bigint): GoValue {
  return goInt64(values.reduce((result: bigint, value) => BigInt.asIntN(64, step(result, toInt64(value))), start));
}

// Math.max does not accept bigint.
function larger(a: bigint, b: bigint): bigint {
  if (b > a) return b;
  return a;
}

function smaller(a: bigint, b: bigint): bigint {
  if (b < a) return b;
  return a;
}

const max = defineVariadic(['any'], 'any', ([first], values) => fold(toInt64(first), values, larger));
const min = defineVariadic(['any'], 'any', ([first], values) => fold(toInt64(first), values, smaller));

const integers = {
  int: define(['any'], ([value]) => goInt(toInt64(value))),
  int64: define(['any'], ([value]) => goInt64(toInt64(value))),
  atoi: define(['string'], ([text]) => goInt(atoi(text))),
  toDecimal: define(['any'], ([value], budget) => goInt64(octal(goPrint(value, budget)))),
  add1: define(['any'], ([value]) => goInt64(toInt64(value) + 1n)),
  add: defineVariadic([], 'any', (_, values) => fold(0n, values, (a, b) => a + b)),
  sub: define(['any', 'any'], ([a, b]) => goInt64(toInt64(a) - toInt64(b))),
  div: define(['any', 'any'], ([a, b]) => goInt64(toInt64(a) / divisor(b))),
  mod: define(['any', 'any'], ([a, b]) => goInt64(toInt64(a) % divisor(b))),
  mul: defineVariadic(['any'], 'any', ([first], values) => fold(toInt64(first), values, (a, b) => a * b)),
  biggest: max,
  max,
  min,
};

function octal(text: string): bigint {
  const match = /^([+-]?)([0-7]+)$/.exec(text);
  if (match === null) return 0n;
  const digits = (match[2] ?? '').replace(/^0+(?=.)/, '');
  if (digits.length > 22) return 0n;
  const value = parseDigits(digits, 8, match[1] === '-');
  return BigInt.asIntN(64, value) === value ? value : 0n;
}

type DecimalStep = (a: Decimal, b: Decimal) => Decimal;

/** Computes with all digits, so each factor makes the product longer, and the step more expensive. */
function foldDecimals(first: GoValue, values: readonly GoValue[], step: DecimalStep, budget: Budget): number {
  let result = decimalOf(toFloat64(first));
  values.forEach((value, index) => {
    budget.spend(4 + index / 4);
    result = step(result, decimalOf(toFloat64(value)));
  });
  return floatOf(result);
}

function foldFloats(first: GoValue, values: readonly GoValue[], step: (...numbers: number[]) => number): number {
  return values.reduce((result: number, value) => step(result, toFloat64(value)), toFloat64(first));
}

const ONE = goInt(1);

const floats = {
  float64: define(['any'], ([value]) => toFloat64(value)),
  add1f: define(['any'], ([value], budget) => foldDecimals(value, [ONE], addDecimals, budget)),
  addf: defineVariadic([], 'any', (_, values, budget) => foldDecimals(0, values, addDecimals, budget)),
  subf: defineVariadic(['any'], 'any', ([first], values, budget) =>
    foldDecimals(first, values, subtractDecimals, budget),
  ),
  divf: defineVariadic(['any'], 'any', ([first], values, budget) =>
    foldDecimals(first, values, divideDecimals, budget),
  ),
  mulf: defineVariadic(['any'], 'any', ([first], values, budget) =>
    foldDecimals(first, values, multiplyDecimals, budget),
  ),
  maxf: defineVariadic(['any'], 'any', ([first], values) => foldFloats(first, values, Math.max)),
  minf: defineVariadic(['any'], 'any', ([first], values) => foldFloats(first, values, Math.min)),
  ceil: define(['any'], ([value]) => Math.ceil(toFloat64(value))),
  floor: define(['any'], ([value]) => Math.floor(toFloat64(value))),
  round: defineVariadic(['any', 'int'], 'float64', ([value, places], [roundOn = 0.5]) =>
    round(toFloat64(value), places, roundOn),
  ),
};

function round(value: number, places: number, roundOn: number): number {
  const power = 10 ** places;
  const digits = power * value;
  const fraction = digits % 1;
  return (fraction >= roundOn ? Math.ceil(digits) : Math.floor(digits)) / power;
}

const seq = defineVariadic([], 'int', (_, params, budget) => {
  const range = sequence(params);
  if (range === undefined) return '';
  const numbers = numbersUntil(range, budget);
  return numbers.join(' ');
});

function sequence(params: readonly number[]): { start: number; stop: number; step: number } | undefined {
  const [first = 0, second = 0, third = 0] = params;
  if (params.length === 1) return inclusive(1, first, first < 1 ? -1 : 1);
  if (params.length === 2) return inclusive(first, second, second < first ? -1 : 1);
  if (params.length !== 3 || (third < first && second > 0)) return undefined;
  return inclusive(first, third, second);
}

function inclusive(start: number, end: number, step: number): { start: number; stop: number; step: number } {
  return { start, stop: end < start ? end - 1 : end + 1, step };
}

/** Functions of numbers. */
export const numberFunctions: GoFunctions = new Map(Object.entries({ ...integers, ...floats, seq }));
