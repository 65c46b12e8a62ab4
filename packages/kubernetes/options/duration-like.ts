import type { Duration } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { GO_DURATION_MAX_MS, goDurationMs } from '#base/go-duration';
import { DAY, HOUR, inExactUnit, inUnits, MINUTE, SECOND, type TimeUnits } from '#base/time-units';
import { showValue } from '#base/value-path';
import { KUBERNETES_FINDINGS } from '../findings/findings';
import { isOfClass } from './cdk8s-values';

const UNITS: TimeUnits = [
  ['h', HOUR],
  ['m', MINUTE],
  ['s', SECOND],
  ['ms', 1],
];

/** A duration in Go's notation: `48h`, `1h30m`, `500ms`. Go has no unit for days. */
export type GoDuration =
  | `${number}${'h' | 'm' | 's' | 'ms'}`
  | `${number}${'h' | 'm' | 's'}${number}${'m' | 's' | 'ms'}`
  | `${number}h${number}m${number}s`;

/** A Duration of cdk8s, or the same in Go's notation. */
export type DurationLike = Duration | GoDuration;

/**
 * Returns the duration as in manifests: `48h`, `1h30m`, `1s500ms`; without units that are zero.
 *
 * Units are whole numbers, so that the text also fits Gateway API's narrower duration format (GEP-2257), which has no
 * fractions. `checkGoDuration` reports the durations for which this function throws.
 *
 * @throws RangeError if Go cannot hold the duration, or it is not a whole number of milliseconds.
 */
export function goDuration(duration: DurationLike): string {
  const [problem] = checkGoDuration('duration', duration);
  if (problem !== undefined) throw new RangeError(`${problem.what}. ${problem.why}.`);
  return goText(milliseconds(duration));
}

/** Expects a whole number that is not negative. */
function goText(ms: number): string {
  const parts = inUnits(ms, UNITS).map((part) => part.join(''));
  return parts.join('') || '0s';
}

/** Formats a duration in milliseconds as it is emitted, long ones with their days: `25h`, `1440h (60 days)`. */
export function durationText(ms: number): string {
  // Messages round fractions, which cannot be emitted and which other rules report.
  const rounded = Math.min(Math.max(Math.round(ms), 0), GO_DURATION_MAX_MS);
  const text = goText(rounded);
  return rounded > 2 * DAY && rounded % DAY === 0 ? `${text} (${rounded / DAY} days)` : text;
}

/** Reports a duration that Go cannot represent: all controllers of a mesh are Go programs. */
export function checkGoDuration(field: string, duration: DurationLike): Problem[] {
  if (goDurationOf(duration) === undefined) return [notDuration(field, duration)];
  const ms = milliseconds(duration);
  if (ms > GO_DURATION_MAX_MS) {
    return [
      KUBERNETES_FINDINGS.durationRefusedGo({
        field,
        milliseconds: ms,
        most: GO_DURATION_MAX_MS,
        example: 'a shorter duration',
      }),
    ];
  }
  if (Number.isInteger(ms)) return [];
  return [
    KUBERNETES_FINDINGS.durationRefusedGo({
      field,
      milliseconds: ms,
      most: GO_DURATION_MAX_MS,
      example: `whole milliseconds, such as Duration.millis(${Math.round(ms) || 0})`,
    }),
  ];
}

/** Reports a value that is not a duration, and proposes the duration that is likely meant. */
export function notDuration(field: string, value: unknown): Problem {
  const parameters = { field, value: showValue(value), type: 'Duration', example: durationExample(value) };
  return KUBERNETES_FINDINGS.wrongTypeClass(parameters);
}

/** Returns a duration in milliseconds, possibly with a fraction; NaN for a text that is not a duration. */
export function milliseconds(duration: DurationLike): number {
  return goDurationOf(duration)?.toMilliseconds({ integral: false }) ?? Number.NaN;
}

const FACTORIES: TimeUnits = [
  ['days', DAY],
  ['hours', HOUR],
  ['minutes', MINUTE],
  ['seconds', SECOND],
  ['millis', 1],
];

/**
 * Returns the argument and the factory function for a Duration of whole milliseconds: 25 and `hours`. Undefined for a
 * fraction.
 */
export function durationFactory(ms: number, longest: 'days' | 'hours' = 'days') {
  return inExactUnit(ms, longest === 'days' ? FACTORIES : FACTORIES.slice(1));
}

/** Loads cdk8s on demand, because checks of files need no Duration. */
function ofMillis(ms: number): Duration {
  const { Duration: Class } = require('cdk8s') as typeof import('cdk8s');
  return Class.millis(ms);
}

/** Returns a Duration, also for a text in Go's notation; undefined for other values, and for a negative text. */
export function goDurationOf(value: unknown): Duration | undefined {
  if (isOfClass('Duration', value)) return value;
  const ms = typeof value === 'string' ? goDurationMs(value) : undefined;
  return ms === undefined || ms < 0 ? undefined : ofMillis(ms);
}

/** Units of other notations, in milliseconds. */
const WORDS: readonly (readonly [unit: RegExp, ms: number])[] = [
  [/^ms$|^milli/i, 1],
  [/^s/i, SECOND],
  [/^m(?:$|in)/i, MINUTE],
  [/^h/i, HOUR],
  [/^d/i, DAY],
  [/^w/i, 7 * DAY],
];

/** Returns the code for a duration in another notation: `Duration.days(2), or '48h'`. */
export function durationExample(value: unknown): string {
  const ms = goDurationOf(value)?.toMilliseconds({ integral: false }) ?? wordsMs(String(value));
  const [count, unit] = durationFactory(ms) ?? [48, 'hours'];
  return `Duration.${unit}(${count}), or '${goDuration(durationFactory(ms) === undefined ? '48h' : ofMillis(ms))}'`;
}

/** Returns NaN for a text without units. */
function wordsMs(text: string): number {
  const iso = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(text);
  if (iso !== null) {
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = iso.slice(1).map((part) => Number(part ?? 0));
    return days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
  }
  const [, count, word = ''] = /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*([a-z]+)\s*$/i.exec(text) ?? [];
  return Number(count) * (WORDS.find(([unit]) => unit.test(word))?.[1] ?? Number.NaN);
}
