import { haveAllStartedAfter } from './leaves';
import type { Signing } from './signing';
import { leavesTurnedBy } from './times';

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
