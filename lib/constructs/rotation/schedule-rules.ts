import { MINIMUM_RENEW_BEFORE } from '../../kubernetes/certificate-limits';
import { checkCron } from '../../kubernetes/cron';
import type { Problem } from '../../kubernetes/findings/problem';
import type { ValidityWindow } from '../pki/validity';
import { durationCode, durationText } from '../pki/validity-text';
import { ROTATION_FINDINGS } from './findings';
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
  if (gaps === undefined) return [ROTATION_FINDINGS.scheduleNeverRuns({ schedule: rotation.schedule })];
  return [...checkOverlap(gaps, rotation), ...checkWindows(gaps, rotation)];
}

function checkOverlap({ shortest }: ScheduleGaps, { schedule, activeDeadline }: RotationSchedule): readonly Problem[] {
  if (shortest > activeDeadline) return [];
  const longestRun = durationText(activeDeadline);
  return [ROTATION_FINDINGS.scheduleOverlaps({ schedule, shortest: durationText(shortest), longestRun })];
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
      .map(([window, { renewBefore }]) =>
        ROTATION_FINDINGS.scheduleMissesWindow({
          schedule,
          longest: durationText(longest),
          window,
          renewBefore: durationText(renewBefore),
          needed: durationText(needed),
          least: durationCode(Math.ceil(needed / HOUR_MS) * HOUR_MS),
        }),
      )
  );
}

const HOUR_MS = 3_600_000;
