/** Formats a duration as Go prints it: `1h30m0s`, `1.5ms`. */
export function durationText(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size === 0n) return '0s';
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 1_000n)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 1_000_000n)}ms`;
  const seconds = size / 1_000_000_000n;
  const minutes = seconds / 60n;
  const tail = `${decimal(size % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return sign + tail;
  if (minutes < 60n) return `${sign}${minutes}m${tail}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${tail}`;
}

function decimal(value: bigint, unit: bigint): string {
  const digits = unit.toString().length - 1;
  const fraction = (value % unit).toString().padStart(digits, '0').replace(/0+$/, '');
  return `${value / unit}${fraction === '' ? '' : `.${fraction}`}`;
}

const ROUNDED: readonly (readonly [bigint, string])[] = [
  [3_600_000_000_000n * 24n * 365n, 'y'],
  [3_600_000_000_000n * 24n * 30n, 'mo'],
  [3_600_000_000_000n * 24n, 'd'],
  [3_600_000_000_000n, 'h'],
  [60_000_000_000n, 'm'],
  [1_000_000_000n, 's'],
];

/** Formats a duration in the largest unit that is shorter than it, rounded down: `2h`. */
export function roundedDuration(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const found = ROUNDED.find(([unit]) => size > unit);
  return found === undefined ? '0s' : `${size / found[0]}${found[1]}`;
}
