import type { Problem } from '#base/findings/problem';
import { HOUR } from '#base/time-units';
import { checkCron } from '#kubernetes/cron';
import { durationText } from '#kubernetes/options/duration-like';
import { type ScheduleGaps, scheduleGaps } from '#kubernetes/schedule-gaps';
import { MINIMUM_RENEW_BEFORE } from '../../checks/certificate-limits';
import { durationCode, type ValidityWindow } from '../pki/validity';
import { ROTATION_FINDINGS } from './findings';

/** The schedule of rotations, and the maximum time of a run. Durations in milliseconds. */
export interface RotationSchedule {
  /** Times of the runs, in cron syntax. */
  readonly schedule: string;
  /** Maximum delay of a run's start. */
  readonly startingDeadline: number;
  /** Maximum time of a run. */
  readonly activeDeadline: number;
  /** The certificates to rotate, named as the props of CertManagerPKI. */
  readonly windows: Readonly<Record<'identityIssuer' | 'webhooks', ValidityWindow>>;
}

/** Checks a schedule, and compares it with the validity of the certificates. */
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
 * Checks windows. A run renews everything, but between runs cert-manager renews certificates that are due. Pods that
 * read certificates only at startup serve the previous one until a run restarts them, which must happen before it
 * expires.
 */
function checkWindows({ longest }: ScheduleGaps, rotation: RotationSchedule): readonly Problem[] {
  const { schedule, startingDeadline, activeDeadline, windows } = rotation;
  const needed = longest + startingDeadline + activeDeadline;
  return (
    Object.entries(windows)
      // CertManagerPKI reports what cert-manager refuses.
      .filter(([, { renewBefore }]) => renewBefore < needed && renewBefore >= MINIMUM_RENEW_BEFORE)
      .map(([window, { renewBefore }]) =>
        ROTATION_FINDINGS.scheduleMissesWindow({
          schedule,
          longest: durationText(longest),
          window,
          renewBefore: durationText(renewBefore),
          needed: durationText(needed),
          least: durationCode(Math.ceil(needed / HOUR) * HOUR),
        }),
      )
  );
}
