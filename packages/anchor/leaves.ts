import type { Time } from './chain';
import type { RememberedLeaves } from './memory';
import type { AnchorPolicy, ObservedTrust } from './observed';
import { startedAfter } from './times';

/**
 * Returns the longest reach of a leaf that has been issued. A shorter lifetime applies only to later leaves: earlier
 * ones keep their lifetime.
 */
export function leavesIssued(
  before: RememberedLeaves | undefined,
  { leafReach, lag, patience, restartTime }: AnchorPolicy,
  now: Time,
): RememberedLeaves {
  if (before === undefined || leafReach >= before.reach) return { reach: leafReach, asked: leafReach };
  // The lifetime is an argument of identity, which must restart to read it.
  const isShorter = leafReach < before.asked;
  const until = isShorter ? now + before.reach + lag + patience + restartTime : (before.until ?? now);
  return now < until ? { reach: before.reach, asked: leafReach, until } : { reach: leafReach, asked: leafReach };
}

/** Whether every pod started after this time: a proxy gets a new leaf when it starts. */
export function haveAllStartedAfter(
  { pods, policy }: Pick<ObservedTrust, 'pods' | 'policy'>,
  since: Time,
  now: Time,
): boolean {
  const from = startedAfter(since, policy);
  // A pod that is not observed yet started later than `from`.
  return now >= from + policy.lag && pods.every((pod) => pod.since >= from);
}
