import type { Time } from './chain';
import type { Rotation } from './memory';
import type { ObservedTrust } from './observed';
import { CHANCE, endOfOld, timeNeeded } from './rotation-target';
import { earliest } from './times';

/** Returns the time from which on only restarts are in time; undefined if the expiry of the old anchor is unknown. */
export function bridgeDeadline(observed: ObservedTrust, rotation: Rotation): Time | undefined {
  const end = endOfOld(observed, rotation);
  return end === undefined ? undefined : end - timeNeeded(observed, 'restarts') * (1 + CHANCE);
}

/**
 * Whether a rotation that has no bridge stops waiting for one: at the deadline, unless the policy is to wait on; and in
 * any case before the new anchor has to sign because nothing else can.
 */
export function givesUpBridge(observed: ObservedTrust, rotation: Rotation, now: Time): boolean {
  const { policy } = observed;
  if (policy.paused) return false;
  const deadline = policy.awaitsBridge || policy.abort ? undefined : bridgeDeadline(observed, rotation);
  const last = earliest(deadline, lastMoment(observed, rotation));
  return last !== undefined && now >= last;
}

/** Returns the time at which the next anchor must be issued by itself, to sign before an issuer that nothing renews ends. */
function lastMoment({ issuer: { chain }, signer, policy }: ObservedTrust, { from }: Rotation): Time | undefined {
  if (chain === undefined || chain.signer !== from || signer !== undefined) return undefined;
  return chain.notAfter - policy.lag - 2 * policy.patience;
}
