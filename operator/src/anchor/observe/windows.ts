import { type MaintenanceWindow, WEEKDAYS } from '#anchor/trust-anchor';
import { goDurationMs } from '#base/go-duration';
import { DAY, MINUTE } from '#base/time-units';

/** The longest window, in days: a week. */
const MAX_DAYS = 7;

/** Whether a time is within one of the windows; always true without windows. */
export function isInWindow(windows: readonly MaintenanceWindow[] | undefined, now: number): boolean {
  if (windows === undefined || windows.length === 0) return true;
  return windows.some((window) => beginnings(window, now).some((begin) => contains(window, begin, now)));
}

/** Returns the time at which the next window opens; undefined without windows. */
export function nextWindow(windows: readonly MaintenanceWindow[] | undefined, now: number): number | undefined {
  const later = (windows ?? []).flatMap((window) =>
    beginnings(window, now + MAX_DAYS * DAY).filter((begin) => begin > now),
  );
  return later.length === 0 ? undefined : Math.min(...later);
}

function contains({ duration }: MaintenanceWindow, begin: number, now: number): boolean {
  return begin <= now && now < begin + (goDurationMs(duration) ?? 0);
}

function beginnings({ days = [], start }: MaintenanceWindow, now: number): readonly number[] {
  const [hours = 0, minutes = 0] = start.split(':').map(Number);
  const today = Math.floor(now / DAY) * DAY;
  return Array.from({ length: MAX_DAYS + 1 }, (_, before) => today - before * DAY)
    .filter((day) => days.length === 0 || days.includes(weekdayOf(day)))
    .map((day) => day + (hours * 60 + minutes) * MINUTE)
    .filter((begin) => begin <= now);
}

function weekdayOf(day: number): (typeof WEEKDAYS)[number] {
  // 1970-01-01 was a Thursday; the first of the list is Monday.
  return WEEKDAYS[(Math.floor(day / DAY) + 3) % WEEKDAYS.length] ?? 'Mon';
}
