import type { Time } from './chain';
import type { AnchorPolicy } from './observed';

/**
 * Returns the time from which a new pod, as observed, certainly gets what the bundle has contained since `since`.
 */
export function spreadBy(since: Time, { lag, skew, grain }: Pick<AnchorPolicy, 'lag' | 'skew' | 'grain'>): Time {
  return since + lag + skew + grain;
}

/** Returns the time from which the start of a pod is certainly later than `since`, by any clock. */
export function startedAfter(since: Time, { skew, grain }: Pick<AnchorPolicy, 'skew' | 'grain'>): Time {
  return since + skew + grain;
}

/** Returns the time from which no leaf that was issued before `since` is valid. */
export function leavesTurnedBy(
  since: Time,
  { leafReach, skew, lag }: Pick<AnchorPolicy, 'leafReach' | 'skew' | 'lag'>,
): Time {
  return since + leafReach + skew + lag;
}

/** Returns the time until which a new replica may use the issuer before the one that was first seen at `seen`. */
export function settledBy(seen: Time, { lag, skew }: Pick<AnchorPolicy, 'lag' | 'skew'>): Time {
  return seen + 2 * lag + skew;
}

/** Returns the time by which identity has loaded an issuer that was first seen at `seen`, or is restarted. */
export function takenUpBy(seen: Time, { lag, skew, patience }: Pick<AnchorPolicy, 'lag' | 'skew' | 'patience'>): Time {
  return seen + lag + 2 * skew + patience;
}

/** Returns the earliest of the known times. */
export function earliest(...times: readonly (Time | undefined)[]): Time | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Returns the earliest of the known times that are yet to come. */
export function earliestAfter(now: Time, ...times: readonly (Time | undefined)[]): Time | undefined {
  return earliest(...times.filter((time) => time !== undefined && time > now));
}
