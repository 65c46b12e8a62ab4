import { certificationTimes, certifiedMilestones, rememberedCertification } from '../certified';
import { certifyMembers } from '../certify';
import type { Time } from '../chain';
import { withCompromised } from '../compromised';
import { NO_LAGGARDS } from '../knowledge';
import { asLate, decidedLate } from '../late';
import { leavesIssued } from '../leaves';
import { memberReport } from '../member-report';
import type { AnchorMemory } from '../memory';
import type { ObservedTrust } from '../observed';
import type { AnchorPlan } from '../plan';
import { remember } from '../remember';
import { endOfOld, rotationTarget, timeNeeded } from '../rotation-target';
import { earliest, earliestAfter, startedAfter } from '../times';
import { issuerInUse } from '../unseen-issuer';
import { bridgeEnd, wayOf } from '../way';
import { awaitedSignature } from './bridge';
import { netUnder } from './net';
import { milestonesOf, type Progress, phaseOf, progressOf, rotationActions } from './progress';
import { livingBy, rest } from './rest';
import { isRetired } from './retired';
import { waveOf } from './wave';

/**
 * Decides what to do with the anchor. Depends only on its arguments. Each action may be repeated at any later time,
 * decided from what is observed then; none of them breaks a working mesh.
 */
export function next(seen: ObservedTrust, now: Time): AnchorPlan {
  return seen.isLate ? decidedLate(decide(asLate(seen), now), seen) : decide(seen, now);
}

function decide(seen: ObservedTrust, now: Time): AnchorPlan {
  const leaves = leavesIssued(seen.memory.leaves, seen.policy, now);
  const policy = { ...seen.policy, leafReach: leaves.reach };
  const observed = { ...seen, policy, issuer: issuerInUse(seen) };
  const known = { ...remember(observed, now), leaves };
  const memory = { ...known, ...rememberedCertification(observed, known, now) };
  const target = rotationTarget(observed, memory, now);
  const decided =
    target.kind === 'rest'
      ? rest(observed, memory, target, now)
      : resume(progressOf({ observed, memory, rotation: target.rotation, now }));
  const plan = withCompromised(decided, observed, now);
  const certifying = certifyMembers(observed, plan.memory, now);
  const restarts = plan.wave && startedAfter(plan.wave.since, policy);
  const again = earliest(plan.again, earliestAfter(now, ...certificationTimes(observed, plan.memory), restarts));
  return {
    ...plan,
    milestones: [...plan.milestones, ...certifiedMilestones(observed, plan.memory, now), ...certifying.milestones],
    actions: [...plan.actions, ...(policy.paused ? [] : certifying.actions)],
    report: memberReport(observed, { ...plan, certifying }, now),
    ...(again !== undefined && { again }),
  };
}

type Decided = Omit<AnchorPlan, 'report'>;

function resume(progress: Progress): Decided {
  return ended(progress) ?? rotate(progress);
}

function rotate(progress: Progress): Decided {
  const { observed, memory, rotation, to, laggards, aborting, held, now } = progress;
  const net = netUnder(observed, memory, progress, now);
  // The restart of identity that `netUnder` plans replaces that of the rotation.
  const isRestarted = net.actions.some((action) => action.do === 'restart-identity');
  const actions = rotationActions(progress).filter((action) => !isRestarted || action.do !== 'restart-identity');
  const signature = awaitedSignature(progress);
  // A rotation that waits for a user has its whole plan ahead.
  const begin = held || aborting || observed.policy.paused || signature !== undefined ? now : rotation.began;
  const end = earliest(endOfOld(observed, rotation), to && bridgeEnd(to, rotation.from));
  const way = wayOf(observed, rotation.from, rotation);
  const milestones = milestonesOf(progress);
  const again = earliestAfter(now, ...progress.times, ...milestones.map(({ until }) => until), ...net.times);
  return {
    phase: phaseOf(progress),
    milestones: [...milestones, ...net.milestones],
    actions: [...(observed.policy.paused ? [] : actions), ...net.actions],
    ...(net.outage !== undefined && { outage: net.outage }),
    memory: { ...memory, rotation, ...served(observed) },
    laggards,
    ...waveOf(progress),
    ...(signature !== undefined && { awaitedSignature: signature }),
    ...(end !== undefined && { slack: end - begin - timeNeeded(observed, way) }),
    ...(again !== undefined && { again }),
  };
}

/** Returns the plan of a rotation that has ended or was rolled back; undefined for any other. */
function ended(progress: Progress): Decided | undefined {
  const { observed, memory, rotation, to, key, aborting, now } = progress;
  const { rotation: _, ...rest } = memory;
  const end = { milestones: milestonesOf(progress), actions: [], laggards: NO_LAGGARDS, again: now };
  if (aborting && to === undefined) return { ...end, phase: 'Stable', memory: { ...rest, ...served(observed) } };
  if (key === undefined || !isRetired(progress)) return undefined;
  const current = livingBy(observed, memory, { key, generation: rotation.to });
  return { ...end, phase: 'Retired', memory: { ...rest, current, ...served(observed) } };
}

/** A request for a rotation during a rotation counts as handled by it. */
function served({ policy: { rotateNow } }: ObservedTrust): Pick<AnchorMemory, 'rotated'> {
  return rotateNow === undefined ? {} : { rotated: rotateNow };
}
