import { anchorPolicy } from '../../../operator/api/anchor/policy';
import {
  neededTime,
  type PlanStep,
  type PlanTimes,
  planTime,
  worstPlan,
} from '../../../operator/api/anchor/worst-plan';
import { DAY } from '../../../operator/api/time-units';
import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../kubernetes/findings/warning';
import type { OwnTrustAnchor } from './trust-anchor';
import { type AnchoredMesh, trustAnchorSpec } from './trust-anchor-spec';
import { type ValidityWindow, validityWindow } from './validity';
import { durationText, windowCode } from './validity-text';

/** Meshed workloads that a rotation may have to restart, where nobody says how many there are. */
const ASSUMED_WORKLOADS = 200;

/** A rotation by the operator, and the time that it has. */
export interface RotationSlack {
  readonly anchor: ValidityWindow;
  readonly times: PlanTimes;
  /** Most workloads that may have to be restarted. */
  readonly workloads: number;
}

/** The rotation of an anchor by the operator, with the times that the operator counts with itself. */
export function rotationSlack(mesh: AnchoredMesh, anchor: OwnTrustAnchor): RotationSlack {
  const { workloads = ASSUMED_WORKLOADS } = anchor.operator ?? {};
  const times = anchorPolicy(trustAnchorSpec(mesh, anchor, ''), undefined);
  return { anchor: validityWindow(anchor), times, workloads };
}

/** Refuses an anchor whose rotation cannot be done in time even if nothing has to be restarted. */
export function checkRotationTime(slack: RotationSlack): readonly Problem[] {
  if (!isShort(slack, 0)) return [];
  return [
    {
      code: 'rotation-without-time',
      what: `trustAnchor.renewBefore is ${durationText(slack.anchor.renewBefore)}, and a rotation takes up to ${durationText(timeFor(slack, 0))} where nothing has to be restarted`,
      why: counterexample(slack, 0),
      fix: fixFor(slack),
    },
  ];
}

/** Warns of an anchor whose rotation may not be done in time, with as many workloads as may have to be restarted. */
export function rotationSlackWarnings(slack: RotationSlack): readonly Warning[] {
  const { anchor, workloads } = slack;
  if (isShort(slack, 0) || !isShort(slack, workloads)) return [];
  return [
    {
      code: 'rotation-without-slack',
      what: `trustAnchor.renewBefore is ${durationText(anchor.renewBefore)}, and a rotation takes up to ${durationText(timeFor(slack, workloads))} where ${workloads} workloads have to be restarted (trustAnchor.operator.workloads)`,
      why: counterexample(slack, workloads),
      fix: `${fixFor(slack)}, or restart more of them at a time (operator.laggards.maxUnavailableWorkloads)`,
    },
  ];
}

function isShort(slack: RotationSlack, workloads: number): boolean {
  return timeFor(slack, workloads) > slack.anchor.renewBefore;
}

function timeFor({ times }: RotationSlack, workloads: number): number {
  return neededTime(worstPlan(times, workloads, 'bridge'));
}

/** The rotation that is too late, in words: everything takes as long as it may. */
function counterexample(slack: RotationSlack, workloads: number): string {
  const { anchor, times } = slack;
  const plan = worstPlan(times, workloads, 'bridge');
  const after = (name: PlanStep['name']) =>
    durationText(planTime(plan.slice(0, plan.findIndex((step) => step.name === name) + 1)));
  const needed = neededTime(plan);
  return [
    `Suppose that each step takes as long as it may: ${durationText(anchor.renewBefore)} before the anchor's end its rotation begins`,
    `${after('announce')} later new pods know the next anchor`,
    `after ${after('take up')} identity signs with it`,
    `after ${after('turn leaves')} the last certificate by the old one ends`,
    ...(workloads === 0
      ? []
      : [
          `restarts of ${workloads} workloads, ${times.parallelRestarts} at a time, would last until ${durationText(needed)}`,
        ]),
    `by then the old anchor has been over for ${durationText(needed - anchor.renewBefore)}, and with it all that is known to who knew no other`,
  ].join('; ');
}

/** Days, so that people can remember them; and an anchor that is not due again as soon as it is rotated. */
function fixFor(slack: RotationSlack): string {
  const { anchor, workloads } = slack;
  const renewBefore = Math.ceil(timeFor(slack, workloads) / DAY) * DAY;
  return `set trustAnchor to ${windowCode({ duration: Math.max(anchor.duration, 2 * renewBefore), renewBefore })}`;
}
