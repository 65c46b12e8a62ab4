import { type Civil, daysOf, type Time, utc } from './time';
import { FunctionError } from './values';

/** The months, in English. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
/** The length of September and Wednesday. */
const MAX_NAME_LENGTH = 9;
/** The days of the week, in English. */
export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The verbs of a layout, the longest first where one starts with another; the rest of a layout is text. */
const VERBS =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|2006|__2|_2(?!006)|002|0[1-6]|15|PM|pm|-07:00:00|-070000|-07:00|-0700|-07|Z07:00:00|Z070000|Z07:00|Z0700|Z07|[.,](?:0+|9+)(?!\d)|[1-5]/g;

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Formats a time by a layout of Go, which shows the time 2006-01-02 15:04:05 in the wanted form. */
export function formatTime(time: Time, layout: string): string {
  const civil = utc(time.seconds + BigInt(time.offset));
  return layout.replace(VERBS, (verb) => FORMATS.get(verb)?.(civil, time) ?? formatFraction(verb, time.nanoseconds));
}

type Format = (civil: Civil, time: Time) => string;

const hour12 = ({ hour }: Civil): number => (hour % 12 === 0 ? 12 : hour % 12);

const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['January', ({ month }) => MONTHS[month - 1] ?? ''],
  ['Jan', ({ month }) => (MONTHS[month - 1] ?? '').slice(0, 3)],
  ['1', ({ month }) => String(month)],
  ['01', ({ month }) => two(month)],
  ['Monday', ({ weekday }) => DAYS[weekday] ?? ''],
  ['Mon', ({ weekday }) => (DAYS[weekday] ?? '').slice(0, 3)],
  ['2', ({ day }) => String(day)],
  ['_2', ({ day }) => String(day).padStart(2, ' ')],
  ['02', ({ day }) => two(day)],
  ['__2', ({ yearDay }) => String(yearDay).padStart(3, ' ')],
  ['002', ({ yearDay }) => String(yearDay).padStart(3, '0')],
  ['2006', ({ year }) => (year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0'))],
  ['06', ({ year }) => two(((year % 100) + 100) % 100)],
  ['15', ({ hour }) => two(hour)],
  ['3', (civil) => String(hour12(civil))],
  ['03', (civil) => two(hour12(civil))],
  ['4', ({ minute }) => String(minute)],
  ['04', ({ minute }) => two(minute)],
  ['5', ({ second }) => String(second)],
  ['05', ({ second }) => two(second)],
  ['PM', ({ hour }) => (hour >= 12 ? 'PM' : 'AM')],
  ['pm', ({ hour }) => (hour >= 12 ? 'pm' : 'am')],
  ['MST', (_, time) => zoneName(time)],
  ...['-07', '-0700', '-07:00', '-070000', '-07:00:00'].map((verb) => [verb, offsetFormat(verb)] as const),
  ...['Z07', 'Z0700', 'Z07:00', 'Z070000', 'Z07:00:00'].map((verb) => [verb, offsetFormat(verb)] as const),
]);

function offsetFormat(verb: string): Format {
  const colon = verb.includes(':') ? ':' : '';
  const fields = (verb.match(/\d\d/g) ?? []).length;
  return (_, { offset }) => {
    if (offset === 0 && verb.startsWith('Z')) return 'Z';
    const size = Math.abs(offset);
    const parts = [Math.floor(size / 3600), Math.floor((size % 3600) / 60), size % 60].slice(0, fields);
    return (offset < 0 ? '-' : '+') + parts.map(two).join(colon);
  };
}

/** @throws FunctionError for a named zone, whose abbreviation Node.js does not provide */
function zoneName({ zone, offset }: Time): string {
  if (zone === 'UTC') return 'UTC';
  if (zone === '') return offsetFormat('-0700')(utc(0n), { seconds: 0n, nanoseconds: 0, offset, zone });
  if (zone.includes('/')) {
    throw new FunctionError(`the abbreviation of the time zone ${zone} is unknown: write the layout without MST`);
  }
  return zone;
}

/** Zeros in a layout write all digits; nines omit trailing zeros. */
function formatFraction(verb: string, nanoseconds: number): string {
  const digits = String(nanoseconds)
    .padStart(9, '0')
    .slice(0, verb.length - 1);
  if (verb[1] === '0') return verb.charAt(0) + digits;
  const cut = digits.replace(/0+$/, '');
  return cut === '' ? '' : verb.charAt(0) + cut;
}

interface Parsed {
  year?: number;
  month?: number;
  day?: number;
  yearDay?: number;
  hour?: number;
  minute?: number;
  second?: number;
  nanoseconds?: number;
  isAfternoon?: boolean;
  offset?: number;
  zone?: string;
}

/** Reads a time by a layout; undefined if the text does not follow it. */
export function parseTime(layout: string, text: string): Time | undefined {
  const parsed: Parsed = {};
  let rest = text;
  let end = 0;
  for (const match of layout.matchAll(VERBS)) {
    const verb = match[0];
    const literal = layout.slice(end, match.index);
    end = match.index + verb.length;
    const behind = skip(literal, rest);
    const after = behind === undefined ? undefined : read(verb, behind, parsed);
    if (after === undefined) return undefined;
    // A fraction may follow seconds where the layout has none.
    const mayHaveFraction = /^0?5$/.test(verb) && !/^[.,](?:0+|9+)(?!\d)/.test(layout.slice(end));
    rest = mayHaveFraction ? (readFraction('.9', after, parsed) ?? after) : after;
  }
  return skip(layout.slice(end), rest) === '' ? timeOf(parsed) : undefined;
}

function skip(literal: string, text: string): string | undefined {
  return text.startsWith(literal) ? text.slice(literal.length) : undefined;
}

type NumberField = 'year' | 'month' | 'day' | 'yearDay' | 'hour' | 'minute' | 'second';

const NUMBERS: ReadonlyMap<string, readonly [NumberField, RegExp]> = new Map<string, readonly [NumberField, RegExp]>([
  ['2006', ['year', /^\d{4}/]],
  ['1', ['month', /^\d{1,2}/]],
  ['01', ['month', /^\d\d/]],
  ['2', ['day', /^\d{1,2}/]],
  ['_2', ['day', /^ ?\d{1,2}/]],
  ['02', ['day', /^\d\d/]],
  ['__2', ['yearDay', /^ {0,2}\d{1,3}/]],
  ['002', ['yearDay', /^\d{3}/]],
  ['15', ['hour', /^\d{1,2}/]],
  ['3', ['hour', /^\d{1,2}/]],
  ['03', ['hour', /^\d\d/]],
  ['4', ['minute', /^\d{1,2}/]],
  ['04', ['minute', /^\d\d/]],
  ['5', ['second', /^\d{1,2}/]],
  ['05', ['second', /^\d\d/]],
]);

function read(verb: string, text: string, parsed: Parsed): string | undefined {
  const number = NUMBERS.get(verb);
  if (number !== undefined) return readNumber(number, text, parsed);
  if (/^[.,]/.test(verb)) return readFraction(verb, text, parsed);
  if (/^[-Z]/.test(verb)) return readOffset(verb, text, parsed);
  return readName(verb, text, parsed);
}

function readNumber([field, form]: readonly [NumberField, RegExp], text: string, parsed: Parsed): string | undefined {
  const digits = form.exec(text)?.[0];
  if (digits === undefined) return undefined;
  parsed[field] = Number(digits);
  const rest = text.slice(digits.length);
  return rest;
}

/** Zeros in a layout require the same number of digits; nines accept any number, even none. */
function readFraction(verb: string, text: string, parsed: Parsed): string | undefined {
  const isExact = verb[1] === '0';
  const [, all = ''] = /^[.,](\d+)/.exec(text) ?? [];
  const digits = isExact ? all.slice(0, verb.length - 1) : all;
  if (digits.length < (isExact ? verb.length - 1 : 1)) return isExact ? undefined : text;
  parsed.nanoseconds = Number(digits.slice(0, 9).padEnd(9, '0'));
  return text.slice(1 + digits.length);
}

function readOffset(verb: string, text: string, parsed: Parsed): string | undefined {
  if (verb.startsWith('Z') && text.startsWith('Z')) {
    parsed.offset = 0;
    parsed.zone = 'UTC';
    return text.slice(1);
  }
  const form = verb.slice(1).replaceAll(/\d\d/g, '(\\d\\d)');
  const match = new RegExp(`^([+-])${form}`).exec(text);
  if (match === null) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(2).map(Number);
  if (hours > 24 || minutes > 60 || seconds > 60) return undefined;
  parsed.offset = (match[1] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
  parsed.zone = parsed.offset === 0 ? 'UTC' : '';
  return text.slice(match[0].length);
}

function readName(verb: string, text: string, parsed: Parsed): string | undefined {
  if (verb === '06') return readShortYear(text, parsed);
  if (verb === 'PM' || verb === 'pm') return readAfternoon(verb, text, parsed);
  if (verb === 'MST') return readZone(text, parsed);
  const isShort = verb.length === 3;
  const names = verb.startsWith('J') ? MONTHS : DAYS;
  const start = text.slice(0, MAX_NAME_LENGTH).toLowerCase();
  const index = names.findIndex((name) => start.startsWith((isShort ? name.slice(0, 3) : name).toLowerCase()));
  if (index < 0) return undefined;
  if (names === MONTHS) parsed.month = index + 1;
  return text.slice(isShort ? 3 : names[index]?.length);
}

function readShortYear(text: string, parsed: Parsed): string | undefined {
  const digits = /^\d\d/.exec(text)?.[0];
  if (digits === undefined) return undefined;
  parsed.year = Number(digits) + (Number(digits) >= 69 ? 1900 : 2000);
  return text.slice(2);
}

function readAfternoon(verb: string, text: string, parsed: Parsed): string | undefined {
  const half = text.slice(0, 2);
  const [am, pm] = verb === 'PM' ? ['AM', 'PM'] : ['am', 'pm'];
  if (half !== am && half !== pm) return undefined;
  parsed.isAfternoon = half === pm;
  return text.slice(2);
}

/** Reads an abbreviation of a zone. Only UTC has a known offset. */
function readZone(text: string, parsed: Parsed): string | undefined {
  const name = /^(?:UTC|[A-Z]{3,5}|[+-]\d\d(?:\d\d)?)/.exec(text)?.[0];
  if (name === undefined) return undefined;
  parsed.zone ??= name;
  parsed.offset ??= 0;
  return text.slice(name.length);
}

function timeOf(parsed: Parsed): Time | undefined {
  const { year = 0, nanoseconds = 0, offset = 0, zone = 'UTC' } = parsed;
  const days = dayOf(parsed, year);
  const { minute = 0, second = 0 } = parsed;
  const hour = hourOf(parsed);
  if (days === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const seconds = days * 86_400n + BigInt(hour * 3600 + minute * 60 + second - offset);
  return { seconds, nanoseconds, offset, zone };
}

function hourOf({ hour = 0, isAfternoon }: Parsed): number {
  if (isAfternoon === undefined) return hour;
  if (isAfternoon) return hour < 12 ? hour + 12 : hour;
  return hour === 12 ? 0 : hour;
}

function dayOf(parsed: Parsed, year: number): bigint | undefined {
  if (parsed.yearDay !== undefined) return dayOfYear(parsed, year, parsed.yearDay);
  const { month = 1, day = 1 } = parsed;
  if (month < 1 || month > 12) return undefined;
  const next = month === 12 ? daysOf(year + 1, 1, 1) : daysOf(year, month + 1, 1);
  const length = Number(next - daysOf(year, month, 1));
  return day < 1 || day > length ? undefined : daysOf(year, month, day);
}

/** Returns the day with a number in the year; undefined if a parsed month and day differ from it. */
function dayOfYear({ month, day }: Parsed, year: number, yearDay: number): bigint | undefined {
  const first = daysOf(year, 1, 1);
  if (yearDay < 1 || yearDay > Number(daysOf(year + 1, 1, 1) - first)) return undefined;
  const found = first + BigInt(yearDay - 1);
  const civil = utc(found * 86_400n);
  const agrees = (month === undefined || month === civil.month) && (day === undefined || day === civil.day);
  return agrees ? found : undefined;
}
