import type { Duration } from 'cdk8s';
import { GO_DURATION_MAX_MS } from '../../packages/base/go-duration';
import { HOUR, MINUTE, SECOND } from '../../packages/base/time-units';
import { checkClass, isOfClass } from './cdk8s-values';
import { KUBERNETES_FINDINGS } from './findings/findings';
import type { Problem } from './findings/problem';

const UNITS = [
  ['h', HOUR],
  ['m', MINUTE],
  ['s', SECOND],
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
