import { listed } from '#base/findings/listed';
import { certifyingActions, isCertified, isLinked } from '../certified';
import { doMembersKnow, haveMembersAdopted, haveMembersMoved } from '../members';
import type { Rotation } from '../memory';
import type { ObservedAnchor } from '../observed';
import { type Proof, proofOf, unreachedUntil } from '../pairs';
import type { AnchorAction, Milestone } from '../plan';
import { isCompromised } from '../policy';
import { holdAnchor, keepRoots } from './actions';
import { hasUnseen, laggardActions, MAX_NAMED, UNSEEN_PROXIES, unseenText } from './adopted';
import { holdRoots } from './announced';
import { withoutBridge } from './bridge';
import { isAsking } from './minted';
import type { Returned } from './returned';
import { open, sinceNow } from './rotating';

/** Step 6: the old anchor is removed. Nothing before is final. */
export interface Retired extends Returned {
  /** Proxies confirm that nothing depends on the old anchor. */
  readonly proof: Proof;
  /** The report to other clusters may state that the old anchor no longer signs. */
  readonly mayCommit: boolean;
  /** All observations allow retiring the old anchor. */
  readonly mayRetire: boolean;
}

export function retiredFacts(before: Returned): Retired {
  const { observed, rotation, record, key, minted, leavesTurned, adopted, isEmergency, now } = before;
  const proof = proofOf({ ...before, signing: record.signing });
  // An attacker with the old anchor's key can present any certificate, so that probes prove nothing.
  const isProven = isEmergency || proof.state === 'unasked' || proof.state === 'passed';
  const hasMoved = observed.signer === rotation.to && observed.issuer.state === 'issued';
  const mayCommit = leavesTurned && isProven && hasMoved && minted && !hasUnseen(observed);
  const membersAdopted = haveMembersAdopted(observed, rotation.from, key, now);
  const membersMoved = haveMembersMoved(observed, rotation.from, key);
  const mayRetire = mayCommit && adopted && membersAdopted && membersMoved;
  const isProbed = record.signing !== undefined && observed.probes !== undefined;
  const unproven = isProbed ? [unreachedUntil(record.signing, observed.policy)] : [];
  const isAlone = observed.anchors.every(({ generation }) => generation === rotation.to);
  const dropped = sinceNow(rotation.retiring === true && isAlone, rotation.dropped, now);
  return {
    ...before,
    record: {
      ...record,
      ...(dropped !== undefined && { dropped }),
      ...(proof.oldChains.length > 0 && { oldChains: proof.oldChains }),
      ...finals(before, { mayCommit, mayRetire }),
    },
    times: [...before.times, ...unproven, dropped === undefined ? undefined : dropped + observed.policy.lag],
    proof,
    mayCommit,
    mayRetire,
  };
}

/** Returns irreversible steps: none is taken during a pause or a rollback. */
function finals(
  { observed, rotation, key, adopted, aborting, held, now }: Returned,
  { mayCommit, mayRetire }: Pick<Retired, 'mayCommit' | 'mayRetire'>,
): Partial<Rotation> {
  const { paused, members, certifies = [] } = observed.policy;
  const isOn = !paused && !held && !aborting;
  const mayCertify = certifies.length > 0 && mayCommit && adopted && doMembersKnow(observed, key, now);
  return {
    ...((rotation.certifies || (mayCertify && isOn)) && { certifies: true }),
    ...((rotation.committed || (mayCommit && isOn && members.length > 0)) && { committed: true }),
    ...((rotation.retiring || (mayRetire && isOn)) && { retiring: true }),
  };
}

export function retiredMilestone({ observed, rotation, leavesTurned, proof }: Retired): Milestone {
  const isHeld = rotation.dropped === undefined ? unprovenMilestone(proof) : undefined;
  if (rotation.retiring) return isHeld ?? open('Retired', 'Removing', 'the old anchor is being removed');
  if (hasUnseen(observed)) {
    return open('Retired', UNSEEN_PROXIES, `the old anchor stays in the bundle: ${unseenText(observed)}`);
  }
  return (leavesTurned ? isHeld : undefined) ?? open('Retired', 'Needed', 'the old anchor is in use');
}

/** Reason of a milestone that waits for proxies with certificates that should have expired. */
export const OLD_CHAINS = 'OldChains';

/** Reasons of a milestone that waits for proxies, or for probes of them. */
export const UNPROVEN: readonly string[] = [OLD_CHAINS, 'Unreachable', 'Probing'];

function unprovenMilestone({ state, pods, until }: Proof): Milestone | undefined {
  switch (state) {
    case 'held':
      return open(
        'Retired',
        OLD_CHAINS,
        [
          `the old anchor stays in the bundle: ${listed(pods, MAX_NAMED)} present certificates that the new anchor does not verify.`,
          "Certificates live longer than spec.issuanceLifetime, or these proxies do not renew theirs: compare that field with identity's -identity-issuance-lifetime, and restart these proxies",
        ].join(' '),
      );
    case 'unreached':
      return open(
        'Retired',
        'Unreachable',
        'no proxy answers the probes of the operator, which continues without them',
        until,
      );
    case 'pending':
      return open('Retired', 'Probing', 'the operator asks proxies for their certificates');
    default:
      return undefined;
  }
}

/** Whether the rotation is over: only the next anchor is left, self-signed or certified by another cluster. */
export function isRetired({ observed, memory, rotation, to, key, signed, isFirst, aborting, now }: Retired): boolean {
  if (to === undefined || aborting || !signed || !(isFirst || rotation.retiring)) return false;
  const isAlone =
    observed.anchors.every(({ generation, onlySecret }) => generation === rotation.to || onlySecret) &&
    (rotation.from === undefined || !observed.kept.includes(rotation.from));
  const isDone = to.certificate?.signer === key || isCertified(to, observed, memory, now);
  return isAlone && isDone && (to.state === 'issued' || isAsking(to, observed));
}

/** Adds the old anchor to the bundle if it signs again. */
export function takeBack({ observed, from }: Retired): readonly AnchorAction[] {
  return from === undefined || observed.issuer.chain?.signer !== from.certificate?.key ? [] : holdAnchor(from);
}

/**
 * Reacts to late events, for example to pods from an injector with an old configuration, or to the anchor with which
 * another cluster replaced a lost one.
 */
function lateActions(progress: Retired): readonly AnchorAction[] {
  return [...holdRoots(progress), ...laggardActions(progress)];
}

export function retireActions(progress: Retired): readonly AnchorAction[] {
  const { observed, to, key } = progress;
  // A new key that replaces a lost one gets no bridge from outside the cluster.
  const withoutKey = to === undefined || key !== undefined ? [] : withoutBridge(to, observed);
  if (withoutKey.length > 0) return withoutKey;
  const isOn = progress.mayRetire || progress.rotation.dropped !== undefined;
  return isOn ? removalActions(progress) : lateActions(progress);
}

/**
 * Makes the new anchor self-signed, then deletes the keys of the old ones, with everything that could sign with them,
 * and then removes them from the bundle.
 */
function removalActions(progress: Retired): readonly AnchorAction[] {
  const { observed, memory, rotation, to, key, now } = progress;
  if (to === undefined || key === undefined) return [];
  const certified = isCertified(to, observed, memory, now);
  // Certificates still chain over the old anchor to another cluster's, which has to certify the new anchor first. That
  // cluster certifies no leaked key: such an anchor is replaced as soon as this rotation has ended.
  if (!certified && !isCompromised(observed, key) && isLinked(observed, memory, now))
    return [...certifyingActions(to, observed, memory, now), ...lateActions(progress)];
  if (to.askedSigner !== 'self' && !isByItself(to) && !certified) {
    return [{ do: 'apply-anchor', generation: rotation.to, signer: 'self', bundled: true }];
  }
  if (to.state !== 'issued' || (to.certificate?.signer !== key && !certified)) return holdAnchor(to);
  const former = observed.anchors.filter(({ generation }) => generation !== rotation.to);
  if (former.length > 0) return former.map(({ generation }) => ({ do: 'delete-anchor', generation }));
  const isGone = rotation.dropped !== undefined && now >= rotation.dropped + observed.policy.lag;
  return isGone ? keepRoots(observed, [key]) : [];
}

/** Whether an anchor with an unknown signer was adopted as it is, or is self-signed. */
function isByItself({ askedSigner, certificate, generation }: ObservedAnchor): boolean {
  return askedSigner === 'other' && (generation === 0 || certificate?.signer === certificate?.key);
}
