const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** Nanoseconds of a duration of Go: `1h30m`, `-1.5s`. `undefined` for what is none. */
export function parseDuration(text: string): bigint | undefined {
  const [, sign, rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return 0n;
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of rest.matchAll(/(\d*)(?:\.(\d*))?([a-zµμ]+)/g)) {
    total += partOf(whole, fraction, UNITS.get(unit) ?? 0n);
  }
  if (total > 2n ** 63n || (total === 2n ** 63n && sign !== '-')) return undefined;
  return sign === '-' ? -total : total;
}

function partOf(whole: string, fraction: string, unit: bigint): bigint {
  // More digits count for nothing, and are cut as Go cuts what overflows.
  const digits = fraction.slice(0, 18);
  const scale = 10n ** BigInt(digits.length);
  return BigInt(whole === '' ? 0 : whole.slice(0, 30)) * unit + (BigInt(digits === '' ? 0 : digits) * unit) / scale;
}

/** A duration as Go prints it: `1h30m0s`, `1.5ms`. */
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

/** The largest unit of which a duration has more than one, and how often: `2h`. */
export function roundedDuration(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const found = ROUNDED.find(([unit]) => size > unit);
  return found === undefined ? '0s' : `${size / found[0]}${found[1]}`;
}
