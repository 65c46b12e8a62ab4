import type { Time } from './chain';
import type { RememberedLeaves } from './memory';
import type { AnchorPolicy } from './observed';

/**
 * The longest that a leaf may live that has been issued by now. Who shortens leaves shortens those that are issued from
 * then on: the others live on for as long as they were to.
 */
export function leavesIssued(
  before: RememberedLeaves | undefined,
  { leafReach, lag, patience, restartTime }: AnchorPolicy,
  now: Time,
): RememberedLeaves {
  if (before === undefined || leafReach >= before.reach) return { reach: leafReach, asked: leafReach };
  // Identity is told by an argument, with which it has to start.
  const isShorter = leafReach < before.asked;
  const until = isShorter ? now + before.reach + lag + patience + restartTime : (before.until ?? now);
  return now < until ? { reach: before.reach, asked: leafReach, until } : { reach: leafReach, asked: leafReach };
}
