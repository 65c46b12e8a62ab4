import type { Fault } from '../fault';

export const helm: readonly Fault[] = [
  {
    file: 'packages/helm/go/casts.ts',
    from: 'integer < MIN_INT64 || integer > MAX_INT64 ? MIN_INT64 : integer',
    to: 'integer < MIN_INT64 ? MIN_INT64 : integer > MAX_INT64 ? MAX_INT64 : integer',
    why: 'a float that is too large becomes the largest integer',
  },
  {
    file: 'packages/helm/go/durations.ts',
    from: 'size > unit',
    to: 'size >= unit',
    why: 'exactly one hour is rounded to hours',
  },
  {
    file: 'packages/helm/chart/coalesce.ts',
    from: 'if (value === null && !keepsNull) values.delete(key);',
    to: 'if (value === null) values.delete(key);',
    why: 'a null for the defaults of a dependency is lost',
  },
  {
    file: 'packages/helm/chart/dependencies.ts',
    from: 'return switches.includes(true) || !switches.includes(false);',
    to: 'return !switches.includes(false);',
    why: 'one disabled tag disables a dependency',
  },
  {
    file: 'packages/helm/functions/constraints.ts',
    from: "comparisons.every((comparison) => comparison.version.prerelease === '')",
    to: "comparisons.some((comparison) => comparison.version.prerelease === '')",
    why: 'a range allows prereleases only if both ends name one',
  },
  {
    file: 'packages/helm/functions/constraints.ts',
    from: 'return c.minor > 0n || isPatchOpen || v.patch === c.patch;',
    to: 'return c.minor > 0n || v.patch === c.patch;',
    why: '^0.0 allows one patch only',
  },
  {
    file: 'packages/helm/functions/lists.ts',
    from: 'Math.max(0, Math.ceil((stop - start) / step))',
    to: 'Math.max(0, Math.floor((stop - start) / step))',
    why: 'untilStep loses the last number',
  },
  {
    file: 'packages/helm/functions/dicts.ts',
    from: 'if (merging.isOverwriting) target.set(key, null);',
    to: '',
    why: 'mergeOverwrite ignores nil',
  },
  {
    file: 'packages/helm/functions/numbers.ts',
    from: 'fraction >= roundOn',
    to: 'fraction > roundOn',
    why: 'a half is rounded down',
  },
  {
    file: 'packages/helm/template/comparison.ts',
    from: 'compareStrings(first, second) < 0',
    to: 'first < second',
    why: 'strings are ordered by UTF-16 units instead of bytes',
  },
  {
    file: 'packages/helm/template/execute.ts',
    from: "return leave !== 'break';",
    to: 'return leave === undefined;',
    why: 'continue ends a loop',
  },
  {
    file: 'packages/helm/yaml/resolve-scalar.ts',
    from: 'd > daysIn(y, m)',
    to: 'd > 31',
    why: '30 February is a date',
  },
  {
    file: 'packages/helm/yaml/scalar-styles.ts',
    from: 'single: !(breakSpace || spaceBreak',
    to: 'single: !(spaceBreak',
    why: 'single quotes fold a space at the start of a line',
  },
];
