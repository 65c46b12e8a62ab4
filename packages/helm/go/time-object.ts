import { define, goInt, goInt64 } from './define';
import { isGoObject } from './reflect';
import { type Time, utc } from './time';
import { DAYS, formatTime, MONTHS, parseTime } from './time-layouts';
import type { GoMethod, GoObject, GoValue } from './values';

const TIME_TYPE = 'time.Time';
const DEFAULT_LAYOUT = '2006-01-02 15:04:05.999999999 -0700 MST';
const RFC3339_NANO = '2006-01-02T15:04:05.999999999Z07:00';

function named(goType: string, name = ''): GoObject {
  const methods = new Map([['String', define([], () => name)]]);
  return { goType, goKind: 'struct', data: name, fields: new Map(), methods };
}

/** Returns a time for templates, with the methods of the Go type. */
export function timeObject(time: Time): GoObject {
  const method = (value: () => GoValue): GoMethod => define([], value);
  const civil = utc(time.seconds + BigInt(time.offset));
  const object: GoObject = {
    goType: TIME_TYPE,
    goKind: 'struct',
    data: formatTime(time, RFC3339_NANO),
    fields: new Map(),
    methods: new Map([
      ['String', method(() => formatTime(time, DEFAULT_LAYOUT))],
      ['Format', define(['string'], ([layout]) => formatTime(time, layout))],
      ['Unix', method(() => goInt64(time.seconds))],
      ['UnixNano', method(() => goInt64(time.seconds * 1_000_000_000n + BigInt(time.nanoseconds)))],
      ['UnixMilli', method(() => goInt64(time.seconds * 1000n + BigInt(Math.floor(time.nanoseconds / 1e6))))],
      ['Month', method(() => named('time.Month', MONTHS[civil.month - 1]))],
      ['Weekday', method(() => named('time.Weekday', DAYS[civil.weekday]))],
      ['Year', method(() => goInt(civil.year))],
      ['Day', method(() => goInt(civil.day))],
      ['Hour', method(() => goInt(civil.hour))],
      ['Minute', method(() => goInt(civil.minute))],
      ['Second', method(() => goInt(civil.second))],
      ['Nanosecond', method(() => goInt(time.nanoseconds))],
      ['YearDay', method(() => goInt(civil.yearDay))],
      ['UTC', method(() => timeObject({ ...time, offset: 0, zone: 'UTC' }))],
    ]),
  };
  TIMES.set(object, time);
  return object;
}

const TIMES = new WeakMap<GoObject, Time>();

/** Returns the time of an object that `timeObject` returned. */
export function timeOf(value: GoValue): Time | undefined {
  return isGoObject(value) ? TIMES.get(value) : undefined;
}

/** Returns the time of a text of RFC 3339; the text itself if it is invalid. */
export function timeFromText(text: string): GoValue {
  const time = parseTime(RFC3339_NANO, text);
  return time === undefined ? text : timeObject(time);
}
