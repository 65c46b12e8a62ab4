import { Duration } from 'cdk8s';
import { DAY, HOUR } from '../../../operator/api/time-units';
import { GO_DURATION_MAX_MS, goDuration } from '../../kubernetes/go-duration';
import type { ValidityWindow } from './validity';

/** A duration in milliseconds as it is emitted, long ones with their days: `25h`, `1440h (60 days)`. */
export function durationText(ms: number): string {
  // A fraction cannot be emitted, which other rules report: messages show it rounded.
  const rounded = Math.min(Math.max(Math.round(ms), 0), GO_DURATION_MAX_MS);
  const text = goDuration(Duration.millis(rounded));
  return rounded > 2 * DAY && rounded % DAY === 0 ? `${text} (${rounded / DAY} days)` : text;
}

const UNITS = [
  ['days', DAY],
  ['hours', HOUR],
  ['minutes', 60_000],
  ['seconds', 1_000],
] as const;

/** A duration in milliseconds as a user writes it: `Duration.hours(25)`. */
export function durationCode(ms: number): string {
  const rounded = Math.round(ms);
  const [unit, size] = UNITS.find(([, size]) => rounded % size === 0) ?? ['millis', 1];
  return `Duration.${unit}(${rounded / size})`;
}

/** A window as a user writes it. */
export function windowCode({ duration, renewBefore }: ValidityWindow): string {
  return `{ duration: ${durationCode(duration)}, renewBefore: ${durationCode(renewBefore)} }`;
}
