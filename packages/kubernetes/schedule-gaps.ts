import { goDurationMs } from '#base/go-duration';
import { byText } from '#base/remembered';
import { DAY, MINUTE } from '#base/time-units';
import { CRON_FIELDS, type CronField, cronNumber, cronTexts } from './cron';

/** Times between two runs, in milliseconds. */
export interface ScheduleGaps {
  readonly shortest: number;
  readonly longest: number;
}

/** Dates fall on the same days of the week every 28 years, unless a leap year is skipped, as in 2100. */
const CYCLE_YEARS = 28;
const CYCLE_DAYS = CYCLE_YEARS * 365 + 7;
const CYCLE_START_YEAR = 2000;
/** January 1, 2000 was a Saturday. */
const CYCLE_START_WEEKDAY = 6;

/** The schedules of the shorthands (github.com/robfig/cron/v3, v3.0.1, parser.go: parseDescriptor). */
const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/**
 * Returns the shortest and the longest time between two runs of a valid schedule, in a time zone without daylight
 * saving; undefined if it never runs.
 */
export const scheduleGaps = byText(findGaps);

function findGaps(expression: string): ScheduleGaps | undefined {
  if (expression.startsWith('@every ')) return constantGap(expression.slice('@every '.length));
  const schedule = readSchedule(DESCRIPTORS[expression] ?? expression);
  const times = schedule.hours.flatMap((hour) => schedule.minutes.map((minute) => (hour * 60 + minute) * MINUTE));
  const days = runDays(schedule);
  const [firstDay] = days;
  const [firstTime] = times;
  const lastTime = times.at(-1);
  if (firstDay === undefined || firstTime === undefined || lastTime === undefined) return undefined;
  const overNight = differences([...days, firstDay + CYCLE_DAYS]).map((count) => count * DAY - lastTime + firstTime);
  const gaps = [...differences(times), ...new Set(overNight)];
  return { shortest: Math.min(...gaps), longest: Math.max(...gaps) };
}

/** robfig/cron counts whole seconds, and at least one (constantdelay.go). */
function constantGap(interval: string): ScheduleGaps {
  const gap = Math.max(1000, Math.floor((goDurationMs(interval) ?? 0) / 1000) * 1000);
  return { shortest: gap, longest: gap };
}

interface Schedule {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly months: readonly number[];
  readonly matchesDay: (dayOfMonth: number, dayOfWeek: number) => boolean;
}

function readSchedule(expression: string): Schedule {
  const texts = cronTexts(expression);
  const [minutes = [], hours = [], daysOfMonth = [], months = [], daysOfWeek = []] = CRON_FIELDS.map((field, index) =>
    valuesOf(texts[index] ?? '', field),
  );
  // If both fields of days are limited, a match of one suffices (spec.go: dayMatches).
  const eitherIsAny = hasStar(texts[2] ?? '') || hasStar(texts[4] ?? '');
  return {
    minutes,
    hours,
    months,
    matchesDay: (dayOfMonth, dayOfWeek) => {
      const matchesMonth = daysOfMonth.includes(dayOfMonth);
      const matchesWeek = daysOfWeek.includes(dayOfWeek);
      return eitherIsAny ? matchesMonth && matchesWeek : matchesMonth || matchesWeek;
    },
  };
}

function valuesOf(text: string, field: CronField): readonly number[] {
  const values = new Set<number>();
  for (const range of text.split(',').filter((part) => part !== '')) {
    const [span = '', step = '1'] = range.split('/');
    const [start, end] = boundsOf(span, range.includes('/'), field);
    for (let value = start; value <= end; value += Number(step)) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

function boundsOf(span: string, hasStep: boolean, field: CronField): readonly [number, number] {
  const [first = '', second] = span.split('-');
  if (isStar(first)) return [field.min, field.max];
  const start = cronNumber(first, field);
  // "5/15" means from 5 on.
  const end = hasStep ? field.max : start;
  return [start, second === undefined ? end : cronNumber(second, field)];
}

/** Whether a field counts as unlimited. A star with a step does not (parser.go: getRange). */
function hasStar(text: string): boolean {
  return text.split(',').some((range) => {
    const [span = '', step = '1'] = range.split('/');
    return isStar(span.split('-')[0]) && Number(step) === 1;
  });
}

function isStar(text: string | undefined): boolean {
  return text === '*' || text === '?';
}

/** Returns the days with a run, counted from the start of the cycle. */
function runDays({ months, matchesDay }: Schedule): readonly number[] {
  const days: number[] = [];
  let day = 0;
  for (let month = 0; month < CYCLE_YEARS * 12; month++) {
    const isRunMonth = months.includes((month % 12) + 1);
    const length = new Date(Date.UTC(CYCLE_START_YEAR, month + 1, 0)).getUTCDate();
    for (let dayOfMonth = 1; dayOfMonth <= length; dayOfMonth++, day++) {
      if (isRunMonth && matchesDay(dayOfMonth, (CYCLE_START_WEEKDAY + day) % 7)) days.push(day);
    }
  }
  return days;
}

function differences(numbers: readonly number[]): readonly number[] {
  return numbers.slice(1).map((value, index) => value - (numbers[index] ?? 0));
}
