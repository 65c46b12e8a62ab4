/** A second in milliseconds. */
export const SECOND = 1_000;

/** A minute in milliseconds. */
export const MINUTE = 60 * SECOND;

/** An hour in milliseconds. */
export const HOUR = 60 * MINUTE;

/** A day in milliseconds. */
export const DAY = 24 * HOUR;

/** Names of units with their lengths in milliseconds, the longest first. */
export type TimeUnits = readonly (readonly [name: string, length: number])[];

/** Units as people read them. */
export const TIME_UNITS: TimeUnits = [
  ['y', 365 * DAY],
  ['d', DAY],
  ['h', HOUR],
  ['min', MINUTE],
  ['s', SECOND],
];

/** Splits a non-negative time into whole units, and leaves out units with a count of zero and the remainder. */
export function inUnits(time: number, units: TimeUnits): readonly (readonly [count: number, unit: string])[] {
  let rest = time;
  return units.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count > 0 ? [[count, unit] as const] : [];
  });
}

/** Rounds a non-negative time down to the longest unit of which it has at least `least`, else to the shortest unit. */
export function inOneUnit(time: number, units: TimeUnits, least = 1): readonly [count: number, unit: string] {
  const [unit, length] = units.find(([, one]) => time >= least * one) ?? units.at(-1) ?? ['ms', 1];
  return [Math.floor(time / length), unit];
}

/** Returns a time in the longest unit that divides it; undefined if none does. */
export function inExactUnit(time: number, units: TimeUnits): readonly [count: number, unit: string] | undefined {
  const found = units.find(([, length]) => time % length === 0);
  return found && [time / found[1], found[0]];
}
