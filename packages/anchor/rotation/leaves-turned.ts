import type { Time } from '../chain';
import { workloadsOf } from '../knowledge';
import { haveAllStartedAfter } from '../leaves';
import type { AnchorAction, Milestone } from '../plan';
import { waveActions } from '../restarts';
import { leavesTurnedBy, settledBy, startedAfter } from '../times';
import { open, passed } from './rotating';
import type { Signing } from './signing';

/** Step 5: no certificate that depends only on the old anchor can be valid any more. */
export interface LeavesTurned extends Signing {
  readonly leavesTurned: boolean;
}

export function leavesTurnedFacts(before: Signing): LeavesTurned {
  const { observed, record, isEmergency, now } = before;
  const { policy } = observed;
  if (record.signing === undefined) return { ...before, leavesTurned: false };
  const turned = leavesTurnedBy(record.signing, policy);
  const started = startedAfter(record.signing, policy);
  const leavesTurned = now >= turned || (isEmergency && haveAllStartedAfter(observed, record.signing, now));
  return {
    ...before,
    times: [...before.times, turned, ...(isEmergency ? [startedAfter(started, policy), started + policy.lag] : [])],
    leavesTurned,
  };
}

export function leavesTurnedMilestone({ observed, memory, rotation, takenUp, leavesTurned }: LeavesTurned): Milestone {
  if (leavesTurned) {
    const message = 'no certificate that depends only on the old anchor can still be valid';
    return passed('LeavesTurned', 'Expired', message);
  }
  const { policy } = observed;
  // Until `settled`, a replica may start with the previous issuer.
  const settled = takenUp && memory.issuer !== undefined ? settledBy(memory.issuer.seen, policy) : undefined;
  const since = rotation.signing ?? settled;
  const until = since && leavesTurnedBy(since, policy);
  return open('LeavesTurned', 'Living', 'earlier certificates stay valid for up to issuanceLifetime', until);
}

/**
 * Returns the time from which a new pod has a certificate of the new anchor, while an emergency waits for such pods:
 * proxies get a new certificate when they start, so the rotation need not wait until the old ones expire.
 */
export function turnedFrom(progress: LeavesTurned): Time | undefined {
  const { rotation, isEmergency, signing, leavesTurned, laggards, observed } = progress;
  const isOpen = isEmergency && signing && !leavesTurned && laggards.pods === 0;
  return isOpen && rotation.signing !== undefined ? startedAfter(rotation.signing, observed.policy) : undefined;
}

/** Restarts pods that may have a certificate of the old anchor, in an emergency. */
export function turnActions(progress: LeavesTurned): readonly AnchorAction[] {
  const { observed, rotation, now } = progress;
  const since = turnedFrom(progress);
  if (since === undefined) return [];
  return waveActions({ since, generation: rotation.to }, workloadsOf(observed.pods).workloads, observed, now);
}
