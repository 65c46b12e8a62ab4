import type { Bridged } from './bridged';
import type { AnchorKey, Time } from './chain';
import { heldSince, laggardsOf } from './knowledge';
import { memberKeys } from './members';
import type { ObservedTrust } from './observed';
import type { Laggards } from './plan';
import { bundledKeys } from './remember';
import { sinceNow } from './rotating';
import { spreadBy } from './times';

/** Every pod knows the next anchor: over a bridge, that may come last; without one, nothing signs before. */
export interface Adopted extends Bridged {
  /** Pods that do not know the new anchor. */
  readonly laggards: Laggards;
  /** The time from which on a pod that starts gets all required anchors, as far as there are certificates of them. */
  readonly givenOut: Time;
  /** There have been no laggards for as long as an observation may be late. */
  readonly settled: boolean;
  readonly adopted: boolean;
}

export function adoptedFacts(before: Bridged): Adopted {
  const { observed, memory, rotation, key, isFirst, announced, now, guards } = before;
  const { policy } = observed;
  const needed = key === undefined ? [] : neededKeys(observed, key);
  const laggards = isFirst ? { pods: 0, workloads: [] } : laggardsOf(observed.pods, needed, memory.bundles, policy);
  const given = bundledKeys(observed);
  const held = heldSince(
    memory.bundles,
    needed.filter((one) => given.has(one)),
  );
  const since = sinceNow(announced && laggards.pods === 0, rotation.adopted, now);
  const settled = since !== undefined && (!guards.has('settled') || now >= since + policy.lag);
  return {
    ...before,
    record: { ...before.record, ...(since !== undefined && { adopted: since }) },
    laggards,
    givenOut: spreadBy(held ?? now, policy),
    settled,
    adopted: settled || isFirst || !guards.has('adopted'),
  };
}

/**
 * Returns the anchors that every pod must know before the old one is removed: the next one, and those of other
 * clusters.
 */
export function neededKeys(observed: ObservedTrust, key: AnchorKey): readonly AnchorKey[] {
  return [...new Set([key, ...memberKeys(observed)])];
}

/** Whether there are proxies that may know only the old anchor, and that no restart here reaches. */
export function hasUnseen({ unseen = [] }: ObservedTrust): boolean {
  return unseen.length > 0;
}
