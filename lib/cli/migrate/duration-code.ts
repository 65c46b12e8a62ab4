import { parseGoDuration } from '../../kubernetes/go-duration';
import { Call } from './code';

const UNITS = [
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
  ['millis', 1],
] as const;

/** A duration in Go's syntax as cdk8s writes it; undefined where Go, or a whole number of milliseconds, cannot hold it. */
export function durationCode(text: string): Call | undefined {
  const milliseconds = parseGoDuration(text);
  if (milliseconds === undefined || milliseconds < 0) return undefined;
  const unit = UNITS.find(([, size]) => milliseconds % size === 0);
  return unit && new Call(`Duration.${unit[0]}`, milliseconds / unit[1]);
}
