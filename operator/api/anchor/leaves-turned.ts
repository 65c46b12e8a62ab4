import { haveAllStartedAfter } from './leaves';
import type { Milestone } from './plan';
import { open, passed } from './rotating';
import type { Signing } from './signing';
import { leavesTurnedBy, settledBy } from './times';

/** Step 5: no certificate that depends only on the old anchor can be valid any more. */
export interface LeavesTurned extends Signing {
  readonly leavesTurned: boolean;
}

export function leavesTurnedFacts(before: Signing): LeavesTurned {
  const { observed, record, isEmergency, now, guards } = before;
  const since = record.signing;
  const isTurned =
    since !== undefined &&
    (now >= leavesTurnedBy(since, observed.policy) || (isEmergency && haveAllStartedAfter(observed, since, now)));
  return { ...before, leavesTurned: isTurned || (since !== undefined && !guards.has('leaves-turned')) };
}

export function leavesTurnedMilestone({ observed, memory, rotation, takenUp, leavesTurned }: LeavesTurned): Milestone {
  if (leavesTurned) {
    const message = 'no certificate that depends only on the old anchor can still be valid';
    return passed('LeavesTurned', 'Expired', message);
  }
  const { policy } = observed;
  // Until then a replica may start with the previous issuer.
  const settled = takenUp && memory.issuer !== undefined ? settledBy(memory.issuer.seen, policy) : undefined;
  const since = rotation.signing ?? settled;
  const until = since && leavesTurnedBy(since, policy);
  return open('LeavesTurned', 'Living', 'earlier certificates are valid for issuanceLifetime', until);
}
