import type { LeavesTurned } from './leaves-turned';
import type { Rotation } from './memory';
import { isCompromised } from './policy';
import { sinceNow } from './rotating';
import { leavesTurnedBy } from './times';

/** The rollback, instead of the last step: the old anchor signs again, and nothing of the next one is valid. */
export interface Returned extends LeavesTurned {
  /** The old anchor's key is here, and may sign again. */
  readonly hasWayBack: boolean;
  /** The rotation is rolled back. */
  readonly aborting: boolean;
  /** A rollback is requested, but impossible: everything is kept as is, until the request is withdrawn. */
  readonly held: boolean;
  /** Nothing that the new anchor signed is valid any more. */
  readonly hasReturned: boolean;
}

/**
 * A rotation is rolled back as long as there is an anchor to return to, and to the end once the new one is being
 * removed.
 */
export function returnedFacts(before: LeavesTurned): Returned {
  const { observed, rotation, key, signed, guards } = before;
  const { policy } = observed;
  const isFinal = rotation.retiring === true || (rotation.committed === true && guards.has('committed'));
  const hasWayBack = !isFinal && mayReturn(before);
  const isAsked = policy.abort || isCompromised(observed, key ?? rotation.key);
  const aborting = rotation.withdrawing === true || (isAsked && hasWayBack);
  const hasReturned = aborting && !signed && isBack(before);
  return {
    ...before,
    record: { ...before.record, ...recorded(before, { aborting, hasReturned }) },
    hasWayBack,
    aborting,
    held: policy.abort && !aborting && !isFinal,
    hasReturned,
  };
}

function recorded(
  before: LeavesTurned,
  { aborting, hasReturned }: Pick<Returned, 'aborting' | 'hasReturned'>,
): Partial<Rotation> {
  const { observed, rotation, now } = before;
  const since = sinceNow(aborting && signsAgain(before), rotation.returned, now);
  return {
    ...(since !== undefined && { returned: since }),
    ...((rotation.withdrawing || (hasReturned && !observed.policy.paused)) && { withdrawing: true }),
    ...(aborting && { aborting }),
  };
}

/** Whether the old anchor may sign again. Nothing returns to one whose key leaked; from one, a rotation does by itself. */
function mayReturn({ observed, rotation, from, signed, isEmergency }: LeavesTurned): boolean {
  // An external signer continues as before.
  const isHere = from?.state === 'issued' || (observed.signer === 'other' && !signed);
  return isHere && rotation.to > 0 && !isEmergency;
}

function isBack(before: LeavesTurned): boolean {
  const { observed, rotation, from, guards, now } = before;
  const { signing, returned } = rotation;
  if (!guards.has('returned')) return true;
  // It may have signed what is still in flight.
  if (observed.issuer.state === 'issuing') return false;
  if (from === undefined && signing === undefined) return true;
  // What was in flight then may have come and gone unobserved.
  return returned !== undefined && signsAgain(before) && now >= leavesTurnedBy(returned, observed.policy);
}

/** Whether the old anchor signed the issuer, and nothing uses another one. */
function signsAgain({ observed, memory, rotation }: LeavesTurned): boolean {
  return observed.issuer.chain?.signer === rotation.from && memory.issuer?.steady !== undefined;
}
