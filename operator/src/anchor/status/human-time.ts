const UNITS = [
  ['y', 365 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** The minimum number of a unit: `36h`, not `1d`. */
const LEAST = 2;

/** Formats a time in one unit, rounded towards zero: `9y`, `36h`, `-5m`. */
export function humanTime(ms: number): string {
  const sign = ms < 0 ? '-' : '';
  const size = Math.abs(ms);
  const [unit, length] = UNITS.find(([, one]) => size >= LEAST * one) ?? ['s', 1_000];
  return `${sign}${Math.floor(size / length)}${unit}`;
}
