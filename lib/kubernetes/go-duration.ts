import type { Duration } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { GO_DURATION_MAX_MS } from '#base/go-duration';
import { DAY, HOUR, inExactUnit, inUnits, MINUTE, SECOND, type TimeUnits } from '#base/time-units';
import { checkClass, isOfClass } from './cdk8s-values';
import { KUBERNETES_FINDINGS } from './findings/findings';

const UNITS: TimeUnits = [
  ['h', HOUR],
  ['m', MINUTE],
  ['s', SECOND],
  ['ms', 1],
];

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
  return (
    inUnits(milliseconds(duration), UNITS)
      .map((part) => part.join(''))
      .join('') || '0s'
  );
}

/** Reports a duration that cannot be written for Go programs, which all controllers of a mesh are. */
export function checkGoDuration(field: string, duration: Duration): Problem[] {
  if (!isOfClass('Duration', duration)) return [...checkClass('Duration', field, duration)];
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

/** Returns a duration in milliseconds, possibly with a fraction. */
export function milliseconds(duration: Duration): number {
  return duration.toMilliseconds({ integral: false });
}

const FACTORIES: TimeUnits = [
  ['days', DAY],
  ['hours', HOUR],
  ['minutes', MINUTE],
  ['seconds', SECOND],
  ['millis', 1],
];

/**
 * Returns the function that makes a Duration of whole milliseconds, with its argument: `hours` and 25. Undefined for
 * a fraction.
 */
export function durationFactory(ms: number, longest: 'days' | 'hours' = 'days') {
  return inExactUnit(ms, longest === 'days' ? FACTORIES : FACTORIES.slice(1));
}
