import type { AnchorAction, Milestone, Phase } from '../plan';
import { adoptedFacts, adoptedMilestone, laggardActions, lateIdentityActions } from './adopted';
import { announceActions, announcedFacts, announcedMilestone } from './announced';
import { certificateActions } from './bridge';
import { bridgedFacts, bridgedMilestone } from './bridged';
import { leavesTurnedFacts, leavesTurnedMilestone, turnActions, turnedFrom } from './leaves-turned';
import { mintActions, mintedFacts, mintedMilestone } from './minted';
import { type Retired, retireActions, retiredFacts, retiredMilestone, takeBack } from './retired';
import { abortActions, heldActions, returnedFacts, returnedMilestones } from './returned';
import type { Rotating } from './rotating';
import { firstSigningMilestone, signActions, signingFacts, signingMilestone } from './signing';

/** The facts of all steps of a rotation, with the record of this plan. */
export type Progress = Retired;

/** Returns how far a rotation is: the facts of each step, from the observation and the steps before. */
export function progressOf(rotating: Rotating): Progress {
  const minted = mintedFacts(rotating);
  const announced = announcedFacts(minted);
  const bridged = bridgedFacts(announced);
  const adopted = adoptedFacts(bridged);
  const signing = signingFacts(adopted);
  const turned = leavesTurnedFacts(signing);
  const returned = returnedFacts(turned);
  const retired = retiredFacts(returned);
  return { ...retired, rotation: retired.record };
}

/** Returns the last milestone that a rotation has reached. */
export function phaseOf(progress: Progress): Phase {
  const { rotation, aborting, isFirst, minted, announced, bridged, takenUp, signing, leavesTurned, adopted } = progress;
  if (aborting) return 'Aborting';
  if (isFirst) return 'Pending';
  const steps: readonly (readonly [Phase, boolean])[] = [
    ['Minted', minted],
    ['Announced', announced],
    ['Bridged', bridged],
    ['Signing', signing || takenUp],
    ['LeavesTurned', leavesTurned],
    ['Adopted', (leavesTurned && adopted) || rotation.retiring === true],
  ];
  return steps.findLast(([, holds]) => holds)?.[0] ?? 'Stable';
}

/** Returns the milestones of a rotation, each with its evidence, or with what it waits for. */
export function milestonesOf(progress: Progress): readonly Milestone[] {
  if (progress.isFirst) return [mintedMilestone(progress), firstSigningMilestone(progress)];
  return [
    ...returnedMilestones(progress),
    mintedMilestone(progress),
    announcedMilestone(progress),
    bridgedMilestone(progress),
    signingMilestone(progress),
    leavesTurnedMilestone(progress),
    adoptedMilestone(progress),
    retiredMilestone(progress),
  ];
}

/** Returns the next actions of a rotation. */
export function rotationActions(progress: Progress): readonly AnchorAction[] {
  if (progress.aborting) return abortActions(progress);
  if (progress.held) return heldActions(progress);
  if (progress.to === undefined) return mintActions(progress);
  const sign = signActions(progress);
  if (progress.rotation.retiring) return sign.length > 0 ? [...sign, ...takeBack(progress)] : retireActions(progress);
  const restart = turnedFrom(progress) === undefined ? laggardActions(progress) : turnActions(progress);
  return [
    ...announceActions(progress),
    ...certificateActions(progress),
    ...sign,
    ...restart,
    ...lateIdentityActions(progress),
  ];
}
