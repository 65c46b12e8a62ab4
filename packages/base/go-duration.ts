/** The longest whole number of milliseconds that Go's `time.Duration` (int64 nanoseconds) holds: 292 years. */
export const GO_DURATION_MAX_MS = 9_223_372_036_854;

const NANOSECONDS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  // Both the micro sign and the Greek letter, as in Go.
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const LIMIT = 2n ** 63n;
const PART = /([0-9]*)(?:\.([0-9]*))?([^0-9.]+)/y;

/**
 * Returns the result of Go's `time.ParseDuration`, in nanoseconds; undefined if Go refuses it.
 *
 * Follows Go's arithmetic step by step, including overflow and truncation (go/src/time/format.go, ParseDuration).
 */
export function goDurationNanoseconds(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const unsigned = text.replace(/^[-+]/, '');
  if (unsigned === '0') return 0n;
  if (unsigned === '') return undefined;
  let total = 0n;
  for (let position = 0; position < unsigned.length; position = PART.lastIndex) {
    PART.lastIndex = position;
    const [match, whole = '', fraction = '', unit = ''] = PART.exec(unsigned) ?? [];
    const nanoseconds = match === undefined ? undefined : partNanoseconds(whole, fraction, unit);
    if (nanoseconds === undefined) return undefined;
    // The sum wraps around as Go's uint64 does.
    total = BigInt.asUintN(64, total + nanoseconds);
    if (total > LIMIT) return undefined;
  }
  if (negative) return -total;
  return total === LIMIT ? undefined : total;
}

/** Returns a Go duration in milliseconds, with a fraction for finer units; undefined if Go refuses it. */
export function goDurationMs(text: string): number | undefined {
  const nanoseconds = goDurationNanoseconds(text);
  if (nanoseconds === undefined) return undefined;
  return Number(nanoseconds / 1_000_000n) + Number(nanoseconds % 1_000_000n) / 1e6;
}

function partNanoseconds(whole: string, fraction: string, unit: string): bigint | undefined {
  const size = NANOSECONDS.get(unit);
  if (size === undefined || whole + fraction === '') return undefined;
  const sum = BigInt(whole) * size + fractionNanoseconds(fraction, size);
  return sum > LIMIT ? undefined : sum;
}

function fractionNanoseconds(fraction: string, unit: bigint): bigint {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction) {
    const more = digits * 10n + BigInt(digit);
    // Go drops the digits that its integers cannot hold.
    if (more > LIMIT) break;
    digits = more;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(digits) * (Number(unit) / scale)));
}
