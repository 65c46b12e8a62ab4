import { goDurationNanoseconds } from '#base/go-duration';
import { atoi } from '../go/casts';
import { define } from '../go/define';
import { durationText, roundedDuration } from '../go/durations';
import { typeOf } from '../go/reflect';
import { type Time, timeFromSeconds } from '../go/time';
import { formatTime, parseTime } from '../go/time-layouts';
import { timeObject, timeOf } from '../go/time-object';
import type { GoFunctions, GoValue } from '../go/values';
import { FunctionError, GoInt } from '../go/values';
import { inZone } from '../go/zones';
import { clockRefusal } from './not-reproducible';

const DATE_LAYOUT = '2006-01-02';

function requiredTime(value: GoValue): Time {
  const time = timeOf(value);
  if (time === undefined) throw new FunctionError(`wrong type for value; expected time.Time; got ${typeOf(value)}`);
  return time;
}

/** Reads a date, or seconds since 1970. @throws for other values, for which sprig takes the present time */
function dateOf(name: string, value: GoValue): Time {
  if (value instanceof GoInt && ['int', 'int64', 'int32'].includes(value.type)) return timeFromSeconds(value.value);
  const time = timeOf(value);
  if (time === undefined) throw clockRefusal(name);
  return time;
}

const dateInZone = (name: string) =>
  define(['string', 'any', 'string'], ([layout, date, zone], budget) =>
    formatTime(inZone(dateOf(name, date), zone, budget), layout),
  );

function modified(change: string, time: Time): Time | undefined {
  const duration = goDurationNanoseconds(change);
  if (duration === undefined) return undefined;
  const nanoseconds = time.seconds * 1_000_000_000n + BigInt(time.nanoseconds) + duration;
  const seconds = nanoseconds >= 0n ? nanoseconds / 1_000_000_000n : -((999_999_999n - nanoseconds) / 1_000_000_000n);
  return { ...time, seconds, nanoseconds: Number(nanoseconds - seconds * 1_000_000_000n) };
}

const dateModify = define(['string', 'any'], ([change, date]) => {
  const time = requiredTime(date);
  return timeObject(modified(change, time) ?? time);
});

const mustDateModify = define(['string', 'any'], ([change, date]) => {
  const time = modified(change, requiredTime(date));
  if (time === undefined) throw new FunctionError(`time: invalid duration "${change}"`);
  return timeObject(time);
});

const YEAR_ONE: Time = { seconds: -62135596800n, nanoseconds: 0, offset: 0, zone: 'UTC' };

const mustToDate = define(['string', 'string'], ([layout, text]) => {
  const time = parseTime(layout, text);
  if (time === undefined) throw new FunctionError(`parsing time "${text}" as "${layout}": cannot parse`);
  return timeObject(time);
});

function secondsOf(value: GoValue): bigint {
  if (value instanceof GoInt && value.type === 'int64') return value.value;
  return typeof value === 'string' ? atoi(value) : 0n;
}

function nanosecondsOf(value: GoValue): bigint {
  if (value instanceof GoInt && value.type === 'int64') return value.value;
  return typeof value === 'string' ? (goDurationNanoseconds(value) ?? 0n) : 0n;
}

/** Functions of dates. UTC takes the place of the machine's time zone. */
export const dateFunctions: GoFunctions = new Map(
  Object.entries({
    date: define(['string', 'any'], ([layout, date], budget) =>
      formatTime(inZone(dateOf('date', date), 'Local', budget), layout),
    ),
    date_in_zone: dateInZone('date_in_zone'),
    dateInZone: dateInZone('dateInZone'),
    htmlDate: define(['any'], ([date], budget) =>
      formatTime(inZone(dateOf('htmlDate', date), 'Local', budget), DATE_LAYOUT),
    ),
    htmlDateInZone: define(['any', 'string'], ([date, zone], budget) =>
      formatTime(inZone(dateOf('htmlDateInZone', date), zone, budget), DATE_LAYOUT),
    ),
    date_modify: dateModify,
    dateModify,
    must_date_modify: mustDateModify,
    mustDateModify,
    toDate: define(['string', 'string'], ([layout, text]) => timeObject(parseTime(layout, text) ?? YEAR_ONE)),
    mustToDate,
    unixEpoch: define(['any'], ([date]) => requiredTime(date).seconds.toString()),
    duration: define(['any'], ([seconds]) => durationText(BigInt.asIntN(64, secondsOf(seconds) * 1_000_000_000n))),
    durationRound: define(['any'], ([duration]) => roundedDuration(nanosecondsOf(duration))),
  }),
);
