import { awaitedByMembers } from './adopted';
import { awaitedSignature } from './bridge';
import { bridgeDeadline } from './bridged';
import {
  awaitsProof,
  certificationAtRest,
  certificationTimes,
  certifiedMilestones,
  isCertified,
  rememberedCertification,
} from './certified';
import { certifyMembers } from './certify';
import type { AnchorKey, Time } from './chain';
import { withCompromised } from './compromised';
import { extendAnchors, outlivedReplicas } from './extend';
import { ALL_GUARDS, type Guard } from './guards';
import { laggardsOf } from './knowledge';
import { asLate, decidedLate } from './late';
import { leavesIssued, startedAfter } from './leaves';
import type { AnchorMemory } from './memory';
import { isAsking } from './minted';
import type { ObservedTrust } from './observed';
import { outageOf } from './outage';
import { unreachedUntil } from './pairs';
import type { AnchorAction, AnchorPlan, Laggards } from './plan';
import { milestonesOf, type Progress, phaseOf, progressOf, rotationActions } from './progress';
import { remember } from './remember';
import {
  endOfOld,
  endOfRoot,
  endOfSigning,
  type Rest,
  rotationTarget,
  signingAnchor,
  timeNeeded,
} from './rotation-target';
import { holdAnchor, keepRoots, pointSigner, restartIdentity } from './steps';
import { earliest, leavesTurnedBy, settledBy, spreadBy, takenUpBy } from './times';
import { toldOf } from './told';
import { issuerInUse } from './unseen-issuer';
import { waveOf } from './wave';
import { bridgeEnd, wayOf } from './way';

const NONE: Laggards = { pods: 0, workloads: [] };

/**
 * Decides what to do with the anchor. Depends only on its arguments. Each action may be repeated at any later time,
 * decided from what is observed then; none of them breaks a working mesh.
 */
export function next(seen: ObservedTrust, now: Time, guards: ReadonlySet<Guard> = ALL_GUARDS): AnchorPlan {
  return seen.isLate ? decidedLate(decide(asLate(seen), now, guards), seen) : decide(seen, now, guards);
}

function decide(seen: ObservedTrust, now: Time, guards: ReadonlySet<Guard>): AnchorPlan {
  const leaves = leavesIssued(seen.memory.leaves, seen.policy, now);
  const policy = { ...seen.policy, leafReach: leaves.reach };
  const observed = { ...seen, policy, issuer: issuerInUse(seen) };
  const known = { ...remember(observed, now), leaves };
  const memory = { ...known, ...rememberedCertification(observed, known, now) };
  const target = rotationTarget(observed, memory, now);
  const decided =
    target.kind === 'rest'
      ? rest(observed, memory, target, now)
      : goOn(progressOf({ observed, memory, rotation: target.rotation, now, guards }));
  const plan = withCompromised(decided, observed, now);
  const certifying = certifyMembers(observed, plan.memory, now);
  const times = [...certificationTimes(observed, plan.memory), rotationStart(plan.memory, observed)];
  const again = earliest(plan.again, ...times.filter((time) => time !== undefined && time > now));
  return {
    ...plan,
    milestones: [...plan.milestones, ...certifiedMilestones(observed, plan.memory, now), ...certifying.milestones],
    actions: [...plan.actions, ...(policy.paused ? [] : certifying.actions)],
    told: toldOf(observed, { ...plan, certifying }, now),
    ...(again !== undefined && { again }),
  };
}

/** Returns the time at which a first anchor signs without the certificate of another cluster. */
function rotationStart({ rotation }: AnchorMemory, { policy }: ObservedTrust): Time | undefined {
  return rotation !== undefined && policy.certifiedBy !== undefined ? rotation.began + policy.patience : undefined;
}

type Decided = Omit<AnchorPlan, 'told'>;

function goOn(progress: Progress): Decided {
  return ended(progress) ?? rotate(progress);
}

/** Plans without a rotation: restores what was lost, and nothing else. */
function rest(observed: ObservedTrust, memory: AnchorMemory, { due }: Rest, now: Time): Decided {
  const { issuer, policy } = observed;
  const signing = signingAnchor(observed);
  const key = issuer.chain?.signer;
  const current =
    key === undefined ? memory.current : livingBy(observed, memory, { key, generation: signing?.generation });
  const slack = slackOf(observed, wayOf(observed, key), Math.max(now, due ?? now), endOfSigning(observed));
  const known = { ...memory, ...(current && { current }) };
  const net = netUnder(observed, known, undefined, now);
  const later = [due, ...net.times].filter((time) => time !== undefined && time > now).map(Number);
  return {
    phase: key === undefined ? 'Pending' : net.outage === undefined ? 'Stable' : 'Expired',
    milestones: [...awaitedByMembers(observed, memory, now), ...net.milestones],
    actions: [
      ...(policy.paused ? [] : [...restore(observed), ...certificationAtRest(observed, memory, now)]),
      ...net.actions,
    ],
    ...(net.outage !== undefined && { outage: net.outage }),
    memory: known,
    laggards: key === undefined ? NONE : laggardsAtRest(observed, memory, key),
    ...(due !== undefined && { nextRotation: due }),
    ...(slack !== undefined && { slack }),
    ...(later.length > 0 && { again: Math.min(...later) }),
  };
}

/**
 * Returns pods that may not know the signer. Those of the control plane have no hash, and started with a bundle that
 * contained it.
 */
function laggardsAtRest({ pods, policy }: ObservedTrust, { bundles }: AnchorMemory, key: AnchorKey): Laggards {
  const injected = pods.filter(({ hash }) => hash !== undefined);
  return laggardsOf(injected, [key], bundles, policy);
}

function restore(observed: ObservedTrust): readonly AnchorAction[] {
  const { issuer, signer } = observed;
  const signing = signingAnchor(observed);
  const key = issuer.chain?.signer;
  if (key === undefined) {
    // With another one, the signer becomes known.
    const isUnknown = issuer.state === 'issued' && typeof signer === 'number';
    return isUnknown ? [{ do: 'renew-issuer', revision: issuer.revision }] : [];
  }
  if (signing === undefined) return keepRoots(observed, [key]);
  const point = signer === 'other' ? [] : pointSigner(observed, signing.generation);
  return [...keepRoots(observed, [key]), ...holdAnchor(signing), ...point];
}

function rotate(progress: Progress): Decided {
  const { observed, memory, rotation, laggards, held, now } = progress;
  const net = netUnder(observed, memory, progress, now);
  // One restart of identity serves both.
  const isRestarted = net.actions.some((action) => action.do === 'restart-identity');
  const actions = rotationActions(progress).filter((action) => !isRestarted || action.do !== 'restart-identity');
  const signature = awaitedSignature(progress);
  // A rotation that waits for a user has its whole plan ahead.
  const begin = held || rotation.aborting || observed.policy.paused || signature !== undefined ? now : rotation.began;
  const end = earliest(endOfOld(observed, rotation), progress.to && bridgeEnd(progress.to, rotation.from));
  const slack = slackOf(observed, wayOf(observed, rotation.from, rotation), begin, end);
  const milestones = milestonesOf(progress);
  const limits = milestones.map(({ until }) => until).filter((until) => until !== undefined);
  return {
    phase: phaseOf(progress),
    milestones: [...milestones, ...net.milestones],
    actions: [...(observed.policy.paused ? [] : actions), ...net.actions],
    ...(net.outage !== undefined && { outage: net.outage }),
    memory: { ...memory, rotation, ...served(observed) },
    laggards,
    ...waveOf(progress),
    ...(signature !== undefined && { awaitedSignature: signature }),
    ...(slack !== undefined && { slack }),
    again: nextTime(progress, [...net.times, ...limits]),
  };
}

/**
 * Returns the actions that never wait, not even for the end of a pause: keeping the anchor alive, and identity working.
 */
function netUnder(
  observed: ObservedTrust,
  memory: AnchorMemory,
  progress: Progress | undefined,
  now: Time,
): Pick<AnchorPlan, 'actions' | 'milestones' | 'outage'> & { readonly times: readonly Time[] } {
  const { rotation, maySign } = progress ?? {};
  const { actions, milestone, times } = extendAnchors(observed, memory, rotation, now);
  const mustBeProven = maySign || rotation?.aborting === true || awaitsProof(observed, memory, now);
  const restart = restartIdentity(observed, memory, mustBeProven, now);
  const outage = outageOf(observed, memory, now);
  const { lag } = observed.policy;
  // A bundle counts when it has spread, and for other clusters when the last pod that started before that has been
  // observed.
  const spread = memory.bundles.map(({ since }) => spreadBy(since, observed.policy));
  return {
    actions: [...actions, ...(restart.length > 0 ? restart : rereadBundle(observed, memory, now))],
    milestones: milestone === undefined ? [] : [milestone],
    times: [...times, ...spread, ...spread.map((time) => time + lag)],
    ...(outage !== undefined && { outage }),
  };
}

/**
 * Restarts identity, the only component that depends on the expiry of its roots, if those from its start are about to
 * expire.
 */
function rereadBundle(observed: ObservedTrust, memory: AnchorMemory, now: Time): readonly AnchorAction[] {
  const { bundle } = observed;
  const isOutlived = bundle !== undefined && outlivedReplicas(observed, memory, now).length > 0;
  return isOutlived ? [{ do: 'restart-identity', bundle: bundle.hash }] : [];
}

/** Returns the anchor that the mesh uses, and its first observed expiry. */
function livingBy(
  observed: ObservedTrust,
  { current }: AnchorMemory,
  { key, generation }: { readonly key: AnchorKey; readonly generation: number | undefined },
): NonNullable<AnchorMemory['current']> {
  const before = current?.key === key ? current : undefined;
  const end = earliest(endOfRoot(observed, key), before?.end);
  const isLost = generation === undefined && (before?.generation !== undefined || before?.lost === true);
  return {
    key,
    ...(generation !== undefined && { generation }),
    ...(isLost && { lost: true }),
    ...(end !== undefined && { end }),
  };
}

/** Returns the end of a rotation: only the new anchor is left of the operator's; or, rolled back, only the old one. */
function ended(progress: Progress): Decided | undefined {
  const { observed, memory, rotation, key, to, signed, isFirst, now } = progress;
  const { rotation: _, ...rest } = memory;
  const told = { milestones: milestonesOf(progress), actions: [], laggards: NONE, again: now };
  if (rotation.aborting) {
    if (to !== undefined) return undefined;
    return { ...told, phase: 'Stable', memory: { ...rest, ...served(observed) } };
  }
  const isAlone =
    observed.anchors.every(({ generation, foreign }) => generation === rotation.to || foreign) &&
    (rotation.from === undefined || !observed.kept.includes(rotation.from));
  const isDone = to !== undefined && (to.certificate?.signer === key || isCertified(to, observed, memory, now));
  const isItself = key !== undefined && isDone && (to.state === 'issued' || isAsking(to, observed));
  if (!signed || !isAlone || !isItself || !(isFirst || rotation.retiring)) return undefined;
  const current = livingBy(observed, memory, { key, generation: rotation.to });
  return { ...told, phase: 'Retired', memory: { ...rest, current, ...served(observed) } };
}

/** A request for a rotation during a rotation counts as handled by it. */
function served({ policy: { rotateNow } }: ObservedTrust): Pick<AnchorMemory, 'rotated'> {
  return rotateNow === undefined ? {} : { rotated: rotateNow };
}

/** Returns the time that is left at the end of the worst plan that starts then. */
function slackOf(
  observed: ObservedTrust,
  way: 'bridge' | 'restarts',
  begin: Time,
  end: Time | undefined,
): number | undefined {
  return end === undefined ? undefined : end - begin - timeNeeded(observed, way);
}

function nextTime(
  { rotation, observed, memory, bridged, bridgeBy, isEmergency, now }: Progress,
  others: readonly Time[],
): Time {
  const { policy } = observed;
  const { lag, patience } = policy;
  const isAwaited = !bridged && bridgeBy !== undefined;
  const { announced, signing, returned, adopted, dropped } = rotation;
  const times = [
    announced !== undefined && spreadBy(announced, policy),
    signing !== undefined && leavesTurnedBy(signing, policy),
    signing !== undefined && observed.probes !== undefined && unreachedUntil(signing, policy),
    signing !== undefined && isEmergency && startedAfter(startedAfter(signing, policy), policy),
    signing !== undefined && isEmergency && startedAfter(signing, policy) + lag,
    returned !== undefined && leavesTurnedBy(returned, policy),
    adopted !== undefined && adopted + lag,
    dropped !== undefined && dropped + lag,
    memory.issuer !== undefined && takenUpBy(memory.issuer.seen, policy),
    memory.issuer !== undefined && settledBy(memory.issuer.seen, policy),
    isAwaited && (bridgeDeadline(observed, rotation) ?? false),
    now + patience,
    ...others,
  ];
  return Math.min(...times.filter((time) => time !== false && time > now).map(Number));
}
