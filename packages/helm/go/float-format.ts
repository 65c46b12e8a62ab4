/** Floating-point numbers as text: `FormatFloat` of Go's package strconv. */

/** The decimal digits of a number, 0.d1d2d3… * 10^point, without zeros at either end. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

interface Binary {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** Maximum number of digits after the point: no float64 has more. */
const MAX_DIGITS = 1100;

/** With the shortest precision, `%g` writes an exponent from 10 to this power. */
const SHORTEST_THRESHOLD = 6;

/** Formats a number for a verb: `e`, `E`, `f`, `g`, `G`, `b`, `x` or `X`. Precision -1 writes the fewest digits. */
export function formatFloat(value: number, verb: string, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return `${sign || '+'}Inf`;
  return sign + formatSize(size, verb, precision);
}

function formatSize(size: number, verb: string, precision: number): string {
  switch (verb) {
    case 'b': {
      const { mantissa, exponent } = binaryOf(size);
      return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
    }
    case 'x':
      return formatHex(size, precision);
    case 'X':
      return formatHex(size, precision).toUpperCase();
    case 'e':
    case 'E': {
      const decimal = precision < 0 ? shortest(size) : round(exact(size), precision + 1);
      return scientific(decimal, precision < 0 ? Math.max(decimal.digits.length - 1, 0) : precision, verb);
    }
    case 'f': {
      const decimal = precision < 0 ? shortest(size) : roundBehindPoint(exact(size), precision);
      return positional(decimal, precision < 0 ? Math.max(decimal.digits.length - decimal.point, 0) : precision);
    }
    default:
      return general(size, verb === 'G' ? 'E' : 'e', precision);
  }
}

function general(size: number, exponentLetter: string, precision: number): string {
  const isShortest = precision < 0;
  const decimal = isShortest ? shortest(size) : round(exact(size), Math.max(precision, 1));
  const count = decimal.digits.length;
  const wanted = isShortest ? count : Math.max(precision, 1);
  const fixedThreshold = wanted > count && count >= decimal.point ? count : wanted;
  const threshold = isShortest ? SHORTEST_THRESHOLD : fixedThreshold;
  const exponent = decimal.point - 1;
  if (exponent < -4 || exponent >= threshold) {
    return scientific(decimal, Math.max(Math.min(wanted, count) - 1, 0), exponentLetter);
  }
  return positional(decimal, Math.max((wanted > decimal.point ? count : wanted) - decimal.point, 0));
}

function scientific({ digits, point }: Decimal, precision: number, letter: string): string {
  const exponent = digits === '' ? 0 : point - 1;
  const first = digits.charAt(0) || '0';
  const rest = precision > 0 ? `.${digits.slice(1, precision + 1).padEnd(precision, '0')}` : '';
  return `${first}${rest}${letter}${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function positional({ digits, point }: Decimal, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (precision <= 0) return whole;
  const fraction = point < 0 ? '0'.repeat(Math.min(-point, precision)) + digits : digits.slice(Math.max(point, 0));
  return `${whole}.${fraction.slice(0, precision).padEnd(precision, '0')}`;
}

function shortest(size: number): Decimal {
  if (size === 0) return { digits: '', point: 0 };
  const [mantissa = '', exponent = '0'] = size.toExponential().split('e');
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

function exact(size: number): Decimal {
  const { mantissa, exponent } = binaryOf(size);
  if (mantissa === 0n) return { digits: '', point: 0 };
  const all = exponent < 0 ? mantissa * 5n ** BigInt(-exponent) : mantissa << BigInt(exponent);
  const digits = all.toString();
  return { digits: withoutTrailingZeros(digits), point: digits.length + Math.min(exponent, 0) };
}

function roundBehindPoint(decimal: Decimal, precision: number): Decimal {
  return round(decimal, decimal.point + Math.min(precision, MAX_DIGITS));
}

/** Rounds halves to the even digit. */
function round({ digits, point }: Decimal, count: number): Decimal {
  if (count >= digits.length) return { digits, point };
  if (count < 0) return { digits: '', point: 0 };
  const kept = digits.slice(0, count);
  const rest = digits.slice(count);
  const isHalf = rest === '5';
  const isOdd = Number(kept.slice(-1)) % 2 === 1;
  const roundsUp = isHalf ? isOdd : rest >= '5';
  if (!roundsUp) {
    const trimmed = withoutTrailingZeros(kept);
    return { digits: trimmed, point: trimmed === '' ? 0 : point };
  }
  const next = (BigInt(kept || '0') + 1n).toString();
  return { digits: withoutTrailingZeros(next), point: point + next.length - count };
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}

function binaryOf(size: number): Binary {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & ((1n << 52n) - 1n);
  if (biased === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

function formatHex(size: number, precision: number): string {
  let { mantissa, exponent } = binaryOf(size);
  exponent = mantissa === 0n ? 0 : exponent + 52;
  mantissa <<= 8n;
  while (mantissa !== 0n && mantissa >> 60n === 0n) {
    mantissa <<= 1n;
    exponent -= 1;
  }
  if (precision >= 0 && precision < 15) {
    mantissa = roundHex(mantissa, BigInt(precision * 4));
    if (mantissa >> 61n !== 0n) {
      mantissa >>= 1n;
      exponent += 1;
    }
  }
  const hex = (mantissa & ((1n << 60n) - 1n)).toString(16).padStart(15, '0');
  const fraction = precision < 0 ? withoutTrailingZeros(hex) : hex.slice(0, precision).padEnd(precision, '0');
  const point = fraction === '' ? '' : '.';
  const power = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  return `0x${mantissa >> 60n}${point}${fraction}p${power}`;
}

function roundHex(mantissa: bigint, keptBits: bigint): bigint {
  const dropped = 60n - keptBits;
  const extra = (mantissa << keptBits) & ((1n << 60n) - 1n);
  let kept = mantissa >> dropped;
  if ((extra | (kept & 1n)) > 1n << 59n) kept += 1n;
  return kept << dropped;
}
