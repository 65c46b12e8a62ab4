import type { AnchorKey, Time } from './chain';
import { ALL_GUARDS, type Guard } from './guards';
import { leavesIssued } from './leaves';
import type { AnchorMemory } from './memory';
import { milestonesOf, phaseOf } from './milestones';
import type { ObservedTrust } from './observed';
import type { AnchorAction, AnchorPlan, Laggards } from './plan';
import { type Progress, progressOf } from './progress';
import { remember } from './remember';
import { abortActions, endOfOld, rotationActions } from './rotate';
import { endOfSigning, type Rest, rotationTarget, signingAnchor, timeNeeded, wayOf } from './rotation-target';
import { holdAnchor, keepRoots, pointSigner, restartIdentity } from './steps';
import { leavesTurnedBy, settledBy, spreadBy, takenUpBy } from './times';
import { issuerInUse } from './unseen-issuer';

const NONE: Laggards = { pods: 0, workloads: [] };

/**
 * Decides what is to be done with the anchor. Depends on nothing but its arguments. Each action may be made again, at any
 * later time, by whoever decides from what is then to be seen; none of them breaks a mesh that works.
 */
export function next(seen: ObservedTrust, now: Time, guards: ReadonlySet<Guard> = ALL_GUARDS): AnchorPlan {
  const leaves = leavesIssued(seen.memory.leaves, seen.policy, now);
  const policy = { ...seen.policy, leafReach: leaves.reach };
  const observed = { ...seen, policy, issuer: issuerInUse(seen) };
  const memory = { ...remember(observed, now), leaves };
  const target = rotationTarget(observed, memory, now);
  if (target.kind === 'rest') return rest(observed, memory, target, now);
  const progress = progressOf({ observed, memory, rotation: target.rotation, now, guards });
  return ended(progress) ?? rotate(progress);
}

/** Nothing is to be rotated: what was lost is brought back, and nothing else is done. */
function rest(observed: ObservedTrust, memory: AnchorMemory, { due }: Rest, now: Time): AnchorPlan {
  const { issuer, policy } = observed;
  const signing = signingAnchor(observed);
  const key = issuer.chain?.signer;
  const current = key === undefined ? memory.current : { key, ...(signing && { generation: signing.generation }) };
  const slack = slackOf(observed, key, Math.max(now, due ?? now), endOfSigning(observed));
  return {
    phase: key === undefined ? 'Pending' : 'Stable',
    milestones: [],
    actions: policy.paused ? [] : [...restore(observed), ...restartIdentity(observed, memory, false, now)],
    memory: { ...memory, ...(current && { current }) },
    laggards: NONE,
    ...(due !== undefined && { nextRotation: due }),
    ...(slack !== undefined && { slack }),
    ...(due !== undefined && due > now && { again: due }),
  };
}

function restore(observed: ObservedTrust): readonly AnchorAction[] {
  const { issuer, signer } = observed;
  const signing = signingAnchor(observed);
  const key = issuer.chain?.signer;
  if (key === undefined) {
    // With another one, it can be seen who signs.
    const isUnknown = issuer.state === 'issued' && typeof signer === 'number';
    return isUnknown ? [{ do: 'renew-issuer', revision: issuer.revision }] : [];
  }
  if (signing === undefined) return keepRoots(observed, [key]);
  const point = signer === 'other' ? [] : pointSigner(observed, signing.generation);
  return [...keepRoots(observed, [key]), ...holdAnchor(signing), ...point];
}

function rotate(progress: Progress): AnchorPlan {
  const { observed, memory, rotation, laggards, maySign, now } = progress;
  const actions = rotation.aborting ? abortActions(progress) : rotationActions(progress);
  const slack = slackOf(observed, rotation.from, rotation.began, endOfOld(observed, rotation));
  return {
    phase: phaseOf(progress),
    milestones: milestonesOf(progress),
    actions: observed.policy.paused
      ? []
      : [...actions, ...restartIdentity(observed, memory, maySign || rotation.aborting === true, now)],
    memory: { ...memory, rotation, ...served(observed, memory) },
    laggards,
    ...(slack !== undefined && { slack }),
    again: nextTime(progress),
  };
}

/** The end of a rotation: nothing but the new anchor is left of what is ours; or, taken back, nothing of the new one. */
function ended(progress: Progress): AnchorPlan | undefined {
  const { observed, memory, rotation, key, to, signed, isFirst, now } = progress;
  const { rotation: _, ...rest } = memory;
  const told = { milestones: milestonesOf(progress), actions: [], laggards: NONE, again: now };
  if (rotation.aborting) {
    if (to !== undefined || signed) return undefined;
    return { ...told, phase: 'Stable', memory: { ...rest, ...served(observed, memory) } };
  }
  const isAlone =
    observed.anchors.every(({ generation, foreign }) => generation === rotation.to || foreign) &&
    (isFirst || rotation.from === undefined || !observed.kept.includes(rotation.from));
  const isItself = key !== undefined && to?.state === 'issued' && to.certificate?.signer === key;
  if (!signed || !isAlone || !isItself || !(isFirst || rotation.retiring)) return undefined;
  const current = { key, generation: rotation.to };
  return { ...told, phase: 'Retired', memory: { ...rest, current, ...served(observed, memory) } };
}

/** Whoever asks for a rotation while one goes on is served by it. */
function served({ policy }: ObservedTrust, memory: AnchorMemory): Pick<AnchorMemory, 'rotated'> {
  const rotated = policy.rotateNow ?? memory.rotated;
  return rotated === undefined ? {} : { rotated };
}

/** The time that is left at the end of the worst plan that begins then. */
function slackOf(
  observed: ObservedTrust,
  from: AnchorKey | undefined,
  begin: Time,
  end: Time | undefined,
): number | undefined {
  return end === undefined ? undefined : end - begin - timeNeeded(observed, wayOf(observed, from));
}

function nextTime({ rotation, observed: { policy }, memory, now }: Progress): Time {
  const { lag, patience } = policy;
  const { announced, signing, returned, adopted, dropped } = rotation;
  const times = [
    announced !== undefined && spreadBy(announced, policy),
    signing !== undefined && leavesTurnedBy(signing, policy),
    returned !== undefined && leavesTurnedBy(returned, policy),
    adopted !== undefined && adopted + lag,
    dropped !== undefined && dropped + lag,
    memory.issuer !== undefined && takenUpBy(memory.issuer.seen, policy),
    memory.issuer !== undefined && settledBy(memory.issuer.seen, policy),
    now + patience,
  ];
  return Math.min(...times.filter((time) => time !== false && time > now).map(Number));
}
