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
 * The duration as people write it in manifests: `48h`, `1h30m`, `1s500ms`; no unit that counts zero.
 *
 * Units count whole numbers, so that the text also fits Gateway API's narrower duration format (GEP-2257), which knows
 * no fractions. `checkGoDuration` reports beforehand what is thrown here.
 *
 * @throws RangeError where Go cannot hold the duration, or it is no whole number of milliseconds.
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

/** Reports what keeps a duration from being written for Go programs, which is what every controller of a mesh is. */
export function checkGoDuration(field: string, duration: Duration): Problem[] {
  if (!isOfClass('Duration', duration)) return [...checkClass('Duration', field, duration)];
  const milliseconds = millisecondsOf(duration);
  if (milliseconds > GO_DURATION_MAX_MS) {
    return [
      KUBERNETES_FINDINGS.durationRefused({
        field,
        milliseconds,
        most: GO_DURATION_MAX_MS,
        example: 'a shorter duration',
      }),
    ];
  }
  if (Number.isInteger(milliseconds)) return [];
  return [
    KUBERNETES_FINDINGS.durationRefused({
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
 * Returns what Go's `time.ParseDuration` makes of a text, in milliseconds (with a fraction where the text has finer
 * units); undefined where Go refuses it.
 *
 * Follows Go's arithmetic step by step, overflow and truncation included (go/src/time/format.go, ParseDuration).
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
    // Go drops the digits that its integers do not hold.
    if (more > LIMIT) break;
    digits = more;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(digits) * (Number(unit) / scale)));
}
