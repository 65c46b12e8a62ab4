import { DAY, HOUR, inUnits, MINUTE, SECOND, TIME_UNITS } from '#base/time-units';
import type { Millis } from '../model';

/** Formats a span of time in its two largest units: `9 y 20 d`, `25 h`, `1 d 3 h`. */
export function span(time: Millis): string {
  const sign = time < 0 ? '\u2212' : '';
  const whole = Math.round(Math.abs(time) / SECOND) * SECOND;
  const first = TIME_UNITS.findIndex(([, length]) => whole >= length);
  if (first === -1) return '0 s';
  const parts = inUnits(whole, TIME_UNITS.slice(first, first + 2));
  return sign + parts.map((part) => part.join(' ')).join(' ');
}

/** Formats a window as in manifests: `48 h`, `365 d`. */
export function window(time: Millis): string {
  // Omits the seconds of the clock skew allowance, which has its own place in the table.
  if (time <= 3 * DAY && time % HOUR < MINUTE && time >= HOUR) return `${Math.floor(time / HOUR)} h`;
  return time >= 7 * DAY && time % DAY === 0 ? `${time / DAY} d` : span(time);
}

/** The calendar of displayed times, which count from the anchor's issuance. */
export interface Calendar {
  /** The issuance of the anchor, in milliseconds since 1970; absent if unknown. */
  readonly issued?: number;
  /** The time from which relative times count. */
  readonly origin: Millis;
}

/** Formats a time: a date if the calendar is known, else the span since its origin. */
export function moment(at: Millis, { issued, origin }: Calendar): string {
  if (issued !== undefined) return dateTime(issued + at);
  return at < origin ? span(at - origin) : `+${span(at - origin)}`;
}

function dateTime(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16).replace('T', ' ');
}

/** A labelled position on the time axis. */
export interface Tick {
  readonly at: Millis;
  readonly label: string;
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * MINUTE);
const DAYS = [1, 2, 5, 10, 20].map((days) => days * DAY);
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400];

/** Returns the ticks of an axis, up to a maximum number. */
export function ticks(from: Millis, to: Millis, most: number, calendar: Calendar): readonly Tick[] {
  const wanted = (to - from) / Math.max(1, most);
  const step = [...STEPS, ...DAYS].find((one) => one >= wanted);
  if (step !== undefined) return evenTicks(from, to, step, calendar);
  const months = MONTHS.find((one) => one * 30.4 * DAY >= wanted) ?? 6000;
  if (calendar.issued === undefined) return evenTicks(from, to, months * (365 / 12) * DAY, calendar);
  return monthTicks(from, to, months, calendar.issued);
}

function evenTicks(from: Millis, to: Millis, step: Millis, calendar: Calendar): readonly Tick[] {
  const base = calendar.issued === undefined ? calendar.origin : -calendar.issued;
  const first = base + Math.ceil((from - base) / step) * step;
  const found: Tick[] = [];
  for (let at = first; at <= to && found.length < 100; at += step)
    found.push({ at, label: tickLabel(at, step, calendar) });
  return found;
}

function tickLabel(at: Millis, step: Millis, calendar: Calendar): string {
  const { issued, origin } = calendar;
  if (issued === undefined) return at === origin ? '0' : moment(at, calendar);
  const text = dateTime(issued + at);
  const isMidnight = (issued + at) % DAY === 0;
  return step >= DAY || isMidnight ? text.slice(5, 10) : text.slice(11);
}

function monthTicks(from: Millis, to: Millis, months: number, issued: number): readonly Tick[] {
  const start = new Date(issued + from);
  const found: Tick[] = [];
  const first = Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months;
  for (let month = first; found.length < 100; month += months) {
    const time = Date.UTC(Math.floor(month / 12), month % 12, 1);
    if (time - issued > to) break;
    const label = new Date(time).toISOString().slice(0, months % 12 === 0 ? 4 : 7);
    if (time - issued >= from) found.push({ at: time - issued, label });
  }
  return found;
}
