import { anchorPolicy } from '#anchor/policy';
import { CHANCE, timeToSign } from '#anchor/rotation-target';
import { neededTime, type PlanStep, type PlanTimes, planTime, worstPlan } from '#anchor/worst-plan';
import type { Problem } from '#base/findings/problem';
import { DAY } from '#base/time-units';
import { durationText } from '#kubernetes/options/duration-like';
import type { Warning } from '../../checks/warnings';
import { PKI_FINDINGS, type Timeline } from './findings';
import { type AnchoredMesh, type OwnTrustAnchor, trustAnchorSpec } from './trust-anchor';
import { type ValidityWindow, validityWindow, windowCode } from './validity';

/** Number of meshed workloads that a rotation may have to restart, unless set. */
const ASSUMED_WORKLOADS = 200;

/** The time that a rotation by the operator has, and the settings that determine how long it takes. */
export interface RotationSlack {
  readonly anchor: ValidityWindow;
  readonly times: PlanTimes;
  /** Maximum number of workloads to restart. */
  readonly workloads: number;
  /** True if a user signs the bridge. */
  readonly isSigned: boolean;
}

/**
 * Returns how much time a rotation of an anchor has, and how long each of its steps may take, as the operator computes
 * it.
 */
export function rotationSlack(mesh: AnchoredMesh, anchor: OwnTrustAnchor): RotationSlack {
  const { workloads = ASSUMED_WORKLOADS, bridge } = anchor.operator ?? {};
  const times = anchorPolicy(trustAnchorSpec(mesh, anchor, ''), undefined);
  return { anchor: validityWindow(anchor), times, workloads, isSigned: bridge?.signedBy === 'Request' };
}

/** Refuses an anchor whose rotation cannot finish in time even without restarts. */
export function checkRotationTime(slack: RotationSlack): readonly Problem[] {
  if (!isShort(slack, 0)) return [];
  return [
    PKI_FINDINGS.validityRefusedRotation({
      ...timeline(slack, 0),
      proposed: proposedWindow(slack),
    }),
  ];
}

/** Warns about an anchor whose rotation may not finish in time with the maximum number of restarts. */
export function rotationSlackWarnings(slack: RotationSlack): readonly Warning[] {
  const { workloads } = slack;
  if (isShort(slack, 0)) return [];
  if (!isShort(slack, workloads)) return signatureWarnings(slack);
  return [
    PKI_FINDINGS.anchorRotationMayBeLateRestarts({
      ...timeline(slack, workloads),
      workloads,
      parallelRestarts: slack.times.parallelRestarts,
      proposed: proposedWindow(slack),
    }),
  ];
}

function signatureWarnings(slack: RotationSlack): readonly Warning[] {
  const { anchor, times, workloads, isSigned } = slack;
  const toSign = timeToSign(anchor);
  const needed = neededTime(worstPlan(times, workloads, 'restarts')) * (1 + CHANCE) + toSign;
  if (!isSigned || needed <= anchor.renewBefore) return [];
  const renewBefore = Math.ceil(needed / DAY) * DAY;
  return [
    PKI_FINDINGS.anchorRotationMayBeLateSignature({
      renewBefore: durationText(anchor.renewBefore),
      toSign: durationText(toSign),
      needed: durationText(needed),
      workloads,
      proposed: windowCode({ duration: Math.max(anchor.duration, 2 * renewBefore), renewBefore }),
    }),
  ];
}

function isShort(slack: RotationSlack, workloads: number): boolean {
  return timeFor(slack, workloads) > slack.anchor.renewBefore;
}

/** Returns the time that a rotation takes at most if no workload has to restart. */
export function leastTime(slack: RotationSlack): number {
  return timeFor(slack, 0);
}

function timeFor({ times }: RotationSlack, workloads: number): number {
  return neededTime(worstPlan(times, workloads, 'bridge'));
}

/** Returns the times of a rotation in which all steps take their maximum. */
function timeline({ anchor, times }: RotationSlack, workloads: number): Timeline {
  const plan = worstPlan(times, workloads, 'bridge');
  const after = (name: PlanStep['name']) =>
    durationText(planTime(plan.slice(0, plan.findIndex((step) => step.name === name) + 1)));
  const needed = neededTime(plan);
  return {
    renewBefore: durationText(anchor.renewBefore),
    announced: after('announce'),
    signing: after('take up'),
    expired: after('turn leaves'),
    needed: durationText(needed),
    late: durationText(needed - anchor.renewBefore),
  };
}

/**
 * Returns the code of a validity in whole days, with which the anchor is not due again right after its rotation.
 */
function proposedWindow(slack: RotationSlack): string {
  const { anchor, workloads } = slack;
  const renewBefore = Math.ceil(timeFor(slack, workloads) / DAY) * DAY;
  return windowCode({ duration: Math.max(anchor.duration, 2 * renewBefore), renewBefore });
}
