import type { Duration } from 'cdk8s';
import { checkClass, isOfClass } from './cdk8s-values';
import { KUBERNETES_FINDINGS } from './findings/findings';
import type { Problem } from './findings/problem';

/** The longest whole number of milliseconds that Go's `time.Duration` (int64 nanoseconds) holds: 292 years. */
export const GO_DURATION_MAX_MS = 9_223_372_036_854;

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/**
 * Returns the duration as in manifests: `48h`, `1h30m`, `1s500ms`; without units that are zero.
 *
 * Units are whole numbers, so that the text also fits Gateway API's narrower duration format (GEP-2257), which has no
 * fractions. `checkGoDuration` reports beforehand what throws here.
 *
 * @throws RangeError if Go cannot hold the duration, or it is not a whole number of milliseconds.
 */
export function goDuration(duration: Duration): string {
  const [problem] = checkGoDuration('duration', duration);
  if (problem !== undefined) throw new RangeError(`${problem.what}. ${problem.why}.`);
  const milliseconds = millisecondsOf(duration);
  let rest = milliseconds;
  let text = '';
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text === '' ? '0s' : text;
}

/** Reports a duration that cannot be written for Go programs, which all controllers of a mesh are. */
export function checkGoDuration(field: string, duration: Duration): Problem[] {
  if (!isOfClass('Duration', duration)) return [...checkClass('Duration', field, duration)];
  const milliseconds = millisecondsOf(duration);
  if (milliseconds > GO_DURATION_MAX_MS) {
    return [
      KUBERNETES_FINDINGS.durationRefusedGo({
        field,
        milliseconds,
        most: GO_DURATION_MAX_MS,
        example: 'a shorter duration',
      }),
    ];
  }
  if (Number.isInteger(milliseconds)) return [];
  return [
    KUBERNETES_FINDINGS.durationRefusedGo({
      field,
      milliseconds,
      most: GO_DURATION_MAX_MS,
      example: `whole milliseconds, such as Duration.millis(${Math.round(milliseconds) || 0})`,
    }),
  ];
}

function millisecondsOf(duration: Duration): number {
  return duration.toMilliseconds({ integral: false });
}

const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  // Both the micro sign and the Greek letter, as in Go.
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const LIMIT = 2n ** 63n;
const PART = /([0-9]*)(?:\.([0-9]*))?([^0-9.]+)/y;

/**
 * Returns the result of Go's `time.ParseDuration`, in milliseconds (with a fraction for finer units); undefined if Go
 * refuses it.
 *
 * Follows Go's arithmetic step by step, including overflow and truncation (go/src/time/format.go, ParseDuration).
 */
export function parseGoDuration(text: string): number | undefined {
  const negative = text.startsWith('-');
  const unsigned = text.replace(/^[-+]/, '');
  if (unsigned === '0') return 0;
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
  if (total === LIMIT && !negative) return undefined;
  const milliseconds = Number(total / 1_000_000n) + Number(total % 1_000_000n) / 1e6;
  return negative && milliseconds !== 0 ? -milliseconds : milliseconds;
}

function partNanoseconds(whole: string, fraction: string, unit: string): bigint | undefined {
  const size = Object.hasOwn(NANOSECONDS, unit) ? NANOSECONDS[unit] : undefined;
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
