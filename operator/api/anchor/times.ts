import type { Time } from './chain';
import type { AnchorPolicy } from './observed';

/** The time from which on whoever starts is sure to be given what has been in the bundle since then, and to be seen to. */
export function spreadBy(since: Time, { lag, skew, grain }: Pick<AnchorPolicy, 'lag' | 'skew' | 'grain'>): Time {
  return since + lag + skew + grain;
}

/** The time from which on no leaf lives that was issued before then. */
export function leavesTurnedBy(
  since: Time,
  { leafReach, skew, lag }: Pick<AnchorPolicy, 'leafReach' | 'skew' | 'lag'>,
): Time {
  return since + leafReach + skew + lag;
}

/** The time until which somebody may come up who started with the issuer before the one that was seen then. */
export function settledBy(seen: Time, { lag, skew }: Pick<AnchorPolicy, 'lag' | 'skew'>): Time {
  return seen + 2 * lag + skew;
}

/** The time by which identity has taken up an issuer that was seen then, or is restarted. */
export function takenUpBy(seen: Time, { lag, skew, patience }: Pick<AnchorPolicy, 'lag' | 'skew' | 'patience'>): Time {
  return seen + lag + 2 * skew + patience;
}

/** The earliest of some times, as far as they are known. */
export function earliest(...times: readonly (Time | undefined)[]): Time | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
