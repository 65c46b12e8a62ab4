import { DAY, HOUR, inOneUnit, MINUTE, SECOND, type TimeUnits } from '#base/time-units';

const UNITS: TimeUnits = [
  ['y', 365 * DAY],
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
  ['s', SECOND],
];

/** The minimum number of a unit: `36h`, not `1d`. */
const MIN = 2;

/** Formats a time in one unit, rounded towards zero: `9y`, `36h`, `-5m`. */
export function humanTime(ms: number): string {
  return `${ms < 0 ? '-' : ''}${inOneUnit(Math.abs(ms), UNITS, MIN).join('')}`;
}
