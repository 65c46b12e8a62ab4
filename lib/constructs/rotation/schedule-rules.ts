import { MINIMUM_RENEW_BEFORE } from '../../kubernetes/certificate-limits';
import { checkCron } from '../../kubernetes/cron';
import type { Problem } from '../../kubernetes/findings/problem';
import type { ValidityWindow } from '../pki/validity';
import { durationCode, durationText } from '../pki/validity-text';
import { type ScheduleGaps, scheduleGaps } from './schedule-gaps';

/** The schedule of rotations, and the time that one may take. Durations in milliseconds. */
export interface RotationSchedule {
  /** Times of the runs, in cron's syntax. */
  readonly schedule: string;
  /** Most time by which a run may start late. */
  readonly startingDeadline: number;
  /** Most time that a run may take. */
  readonly activeDeadline: number;
  /** The certificates that are rotated, named as the props of CertManagerPKI. */
  readonly windows: Readonly<Record<'identityIssuer' | 'webhooks', ValidityWindow>>;
}

/** Checks a schedule, by itself and with regard to the certificates. */
export function checkSchedule(rotation: RotationSchedule): readonly Problem[] {
  const faults = checkCron('schedule', rotation.schedule);
  if (faults.length > 0) return faults;
  const gaps = scheduleGaps(rotation.schedule);
  if (gaps === undefined) return [neverRuns(rotation.schedule)];
  return [...checkOverlap(gaps, rotation), ...checkWindows(gaps, rotation)];
}

function neverRuns(schedule: string): Problem {
  return {
    code: 'schedule-never-runs',
    what: `schedule is "${schedule}", a date that does not exist`,
    why: 'Kubernetes accepts it, and no certificate would ever be rotated',
    fix: 'leave the schedule out, which is every six hours, or name days that exist',
  };
}

function checkOverlap({ shortest }: ScheduleGaps, { schedule, activeDeadline }: RotationSchedule): readonly Problem[] {
  if (shortest > activeDeadline) return [];
  return [
    {
      code: 'schedule-overlaps',
      what: `schedule is "${schedule}", which runs again after ${durationText(shortest)}, but a run may take ${durationText(activeDeadline)}`,
      why: 'A run is left out while the one before goes on, so that certificates would not be rotated when the schedule says',
      fix: `leave more than ${durationText(activeDeadline)} between runs`,
    },
  ];
}

/**
 * A run renews everything, but between runs cert-manager renews what comes to its time. Pods that read certificates only
 * when they start serve the one before until a run restarts them, which must not be after its end.
 */
function checkWindows({ longest }: ScheduleGaps, rotation: RotationSchedule): readonly Problem[] {
  const { schedule, startingDeadline, activeDeadline, windows } = rotation;
  const needed = longest + startingDeadline + activeDeadline;
  return (
    Object.entries(windows)
      // What cert-manager refuses, CertManagerPKI says.
      .filter(([, { renewBefore }]) => renewBefore < needed && renewBefore >= MINIMUM_RENEW_BEFORE)
      .map(([name, { renewBefore }]) => ({
        code: 'schedule-misses-window',
        what: `schedule is "${schedule}", with up to ${durationText(longest)} between runs, but ${name}.renewBefore is ${durationText(renewBefore)}`,
        why: `When cert-manager renews a certificate by itself, ${durationText(renewBefore)} before its end, pods that fail to notice (linkerd2#15109) go on with the one before until a run restarts them; with a late start and the time that a run may take, that can be ${durationText(needed)} later, when it has expired`,
        fix: `run more often, or set ${name}.renewBefore of CertManagerPKI to ${durationCode(Math.ceil(needed / 3_600_000) * 3_600_000)} or more`,
      }))
  );
}
