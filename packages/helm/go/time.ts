/** A point in time, and the zone in which it prints. */
export interface Time {
  /** Seconds since 1970, in UTC. */
  readonly seconds: bigint;
  readonly nanoseconds: number;
  /** Seconds east of UTC. */
  readonly offset: number;
  /** The name of the zone; empty if only the offset is known. */
  readonly zone: string;
}

/** The fields of a date and time of day. */
export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** The day of the week; 0 is Sunday. */
  readonly weekday: number;
  readonly yearDay: number;
}

const DAY = 86_400n;

export function timeFromSeconds(seconds: bigint): Time {
  return { seconds, nanoseconds: 0, offset: 0, zone: 'UTC' };
}

/** Returns the days since 1970 of a date in the Gregorian calendar, extended to all years. */
export function daysOf(year: number, month: number, day: number): bigint {
  const y = BigInt(month <= 2 ? year - 1 : year);
  const era = floorDivide(y, 400n);
  const yearOfEra = y - era * 400n;
  const dayOfYear = BigInt(Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1);
  const dayOfEra = yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + dayOfYear;
  return era * 146_097n + dayOfEra - 719_468n;
}

export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

/** Converts seconds since 1970 to fields. */
export function utc(seconds: bigint): Civil {
  const days = floorDivide(seconds, DAY);
  const rest = Number(seconds - days * DAY);
  const shifted = days + 719_468n;
  const era = floorDivide(shifted, 146_097n);
  const dayOfEra = Number(shifted - era * 146_097n);
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + Number(era) * 400 + (month <= 2 ? 1 : 0);
  return {
    year,
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    hour: Math.floor(rest / 3600),
    minute: Math.floor((rest % 3600) / 60),
    second: rest % 60,
    weekday: Number((((days + 4n) % 7n) + 7n) % 7n),
    yearDay: Number(days - daysOf(year, 1, 1)) + 1,
  };
}
