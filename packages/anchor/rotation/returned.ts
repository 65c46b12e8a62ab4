import type { Time } from '../chain';
import type { AnchorAction, Milestone } from '../plan';
import { isCompromised } from '../policy';
import { bundledKeys } from '../remember';
import { leavesTurnedBy, takenUpBy } from '../times';
import { holdAnchor, keepRoots, pointSigner, unbundleAnchor } from './actions';
import { announceActions, holdRoots } from './announced';
import { withoutBridge } from './bridge';
import type { LeavesTurned } from './leaves-turned';
import { open, sinceNow } from './rotating';
import { signActions } from './signing';

/** The rollback, instead of the last step: the old anchor signs again, and no certificate of the next one is valid. */
export interface Returned extends LeavesTurned {
  /** The old anchor's key is in the cluster, and may sign again. */
  readonly hasWayBack: boolean;
  /** The rotation is rolled back. */
  readonly aborting: boolean;
  /** A rollback is requested, but impossible: everything is kept as is, until the request is withdrawn. */
  readonly held: boolean;
  /** No certificate that the new anchor signed is valid any more. */
  readonly hasReturned: boolean;
}

/**
 * A rotation is rolled back on request, or if the next anchor's key leaked, as long as the old anchor may sign again.
 * Once the new anchor is being removed, the rollback is completed.
 */
export function returnedFacts(before: LeavesTurned): Returned {
  const { observed, rotation, key, signed, now } = before;
  const { policy } = observed;
  const hasWayBack = !isFinal(before) && mayReturn(before);
  const isAsked = policy.abort || isCompromised(observed, key ?? rotation.key);
  const aborting = rotation.withdrawing === true || (isAsked && hasWayBack);
  const hasReturned = aborting && !signed && isBack(before);
  const since = sinceNow(aborting && signsAgain(before), rotation.returned, now);
  const isWithdrawing = rotation.withdrawing || (hasReturned && !policy.paused);
  return {
    ...before,
    record: {
      ...before.record,
      ...(since !== undefined && { returned: since }),
      ...(isWithdrawing && { withdrawing: true }),
      ...(aborting && { aborting }),
    },
    times: [...before.times, since === undefined ? undefined : leavesTurnedBy(since, policy)],
    hasWayBack,
    aborting,
    held: policy.abort && !aborting && !isFinal(before),
    hasReturned,
  };
}

function isFinal({ rotation }: LeavesTurned): boolean {
  return rotation.retiring === true || rotation.committed === true;
}

/** Whether the old anchor may sign again: its key is in the cluster, or outside it and in use, and did not leak. */
function mayReturn({ observed, rotation, from, signed, isEmergency }: LeavesTurned): boolean {
  // An external signer continues as before.
  const isHere = from?.state === 'issued' || (observed.signer === 'other' && !signed);
  return isHere && rotation.to > 0 && !isEmergency;
}

function isBack(before: LeavesTurned): boolean {
  const { observed, rotation, from, now } = before;
  const { signing, returned } = rotation;
  // The issuer that cert-manager is issuing may be signed by the new anchor.
  if (observed.issuer.state === 'issuing') return false;
  if (from === undefined && signing === undefined) return true;
  // Until then, leaves of an issuer that came and went unobserved may be valid.
  return returned !== undefined && signsAgain(before) && now >= leavesTurnedBy(returned, observed.policy);
}

function signsAgain({ observed, memory, rotation }: LeavesTurned): boolean {
  return observed.issuer.chain?.signer === rotation.from && memory.issuer?.steady !== undefined;
}

/**
 * Returns when no certificate of the new anchor is valid any more. The last ones were issued before identity is known
 * to use the old anchor again, for which it may have to restart.
 */
function returnedBy({ observed: { policy }, memory: { issuer }, rotation }: LeavesTurned): Time | undefined {
  const since = rotation.returned ?? (issuer && takenUpBy(issuer.seen, policy));
  return since && leavesTurnedBy(since, policy);
}

/** Reason of a milestone that waits until a request for a rollback is withdrawn. */
export const NO_WAY_BACK = 'NoWayBack';

/** Returns the milestone of a rotation to roll back, with the reason if it is not rolled back. */
export function returnedMilestones(progress: Returned): readonly Milestone[] {
  const { observed, rotation, aborting, held, hasReturned, isEmergency } = progress;
  if (aborting) {
    return hasReturned
      ? [open('Returned', 'Removing', 'the old anchor signs, and the new one is being removed')]
      : [
          open(
            'Returned',
            'Returning',
            'the new anchor stays in the bundle until no certificate of it is valid',
            returnedBy(progress),
          ),
        ];
  }
  if (!observed.policy.abort) return [];
  if (held) {
    return [
      open(
        'Returned',
        NO_WAY_BACK,
        isEmergency
          ? 'the key of the old anchor, or a key that it certified, leaked, so this anchor does not sign again: the rotation waits, and continues when spec.abort is false'
          : 'the key of the old anchor is not in the cluster, so it cannot sign again: the rotation waits, and continues when spec.abort is false',
      ),
    ];
  }
  return rotation.retiring
    ? [
        open(
          'Returned',
          'Retiring',
          'spec.abort came too late: the old anchor is being removed, so the rotation continues',
        ),
      ]
    : [
        open(
          'Returned',
          'Committed',
          'spec.abort came too late: clusters that share the anchor may have removed the old one, so the rotation continues',
        ),
      ];
}

/**
 * Rolls back a rotation: the old anchor signs again, and the new one is removed when none of its certificates is valid.
 */
export function abortActions(progress: Returned): readonly AnchorAction[] {
  const { observed, rotation, from, to, key, signed, hasReturned } = progress;
  const roots = holdRoots(progress);
  const { issuer, signer } = observed;
  const back = from === undefined ? [] : [...holdAnchor(from), ...pointSigner(observed, from.generation)];
  const isMixed = signed && issuer.state === 'issued' && from !== undefined && signer === from.generation;
  const renew: readonly AnchorAction[] = isMixed ? [{ do: 'renew-issuer', revision: issuer.revision }] : [];
  if (back.length + renew.length > 0) return [...roots, ...back, ...renew];
  if (!hasReturned) return roots;
  const keep = keepRoots(observed, [rotation.from]);
  const out = to === undefined ? [] : unbundleAnchor(to);
  if (out.length + keep.length > 0) return [...keep, ...out];
  if (to === undefined || (key !== undefined && bundledKeys(observed).has(key))) return [];
  return [{ do: 'delete-anchor', generation: to.generation }];
}

/** Keeps everything while a rotation can neither be rolled back nor continue. The present signer keeps signing. */
export function heldActions(progress: Returned): readonly AnchorAction[] {
  const { to, signed, lastCall, bridged, bridgeBy } = progress;
  const alone = to === undefined || bridged || bridgeBy !== undefined ? [] : withoutBridge(to, progress.observed);
  const sign = signed || lastCall ? signActions(progress) : [];
  return [...announceActions(progress), ...alone, ...sign];
}
