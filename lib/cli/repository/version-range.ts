type Version = readonly [major: number, minor: number, patch: number];

/** A version of SemVer, or the first parts of one: `2026.8.x`. Labels after `-` and `+` are ignored. */
const PARTIAL = String.raw`v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:[-+][\w.+-]+)?`;
const COMPARISON = String.raw`(?:(=>|=<|>=|<=|!=|~>|[=<>~^])\s*)?${PARTIAL}`;
const COMPARISONS = new RegExp(String.raw`^(?:${COMPARISON}(?:\s*,\s*|\s+|$))+$`);

/** The time to match an untrusted text is quadratic in its length; a range has a few dozen characters. */
const MAX_LENGTH = 1_000;

/**
 * Returns a test for versions of a range, as Helm reads it: `>=1.2.0, <3`, `^2026.8.0`, `1.x || 30.x`, `1.2 - 1.4`. An
 * empty range matches all versions.
 *
 * @returns undefined for a text that is not a range, such as the name of a branch
 */
export function versionRange(range: string): ((version: string) => boolean) | undefined {
  if (range.length > MAX_LENGTH) return undefined;
  const alternatives = (range.trim() === '' ? '*' : range)
    .split('||')
    .map((one) => one.trim().replaceAll(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2'));
  if (!alternatives.every((one) => COMPARISONS.test(one))) return undefined;
  const tests = alternatives.map((one) => [...one.matchAll(new RegExp(COMPARISON, 'g'))].map(comparison));
  return (version) => {
    const at = versionParts(version);
    return at !== undefined && tests.some((all) => all.every((isMet) => isMet(at)));
  };
}

/** Returns the numbers of an exact version; undefined for everything else. */
export function versionParts(version: string): Version | undefined {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+][\w.+-]+)?$/.exec(version.trim()) ?? [];
  return patch === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

/** Returns a negative number if a version is older than another one. */
export function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function comparison([, operator = '=', ...texts]: readonly (string | undefined)[]): (version: Version) => boolean {
  const wild = texts.findIndex((part) => part === undefined || !/^\d+$/.test(part));
  const given = texts.slice(0, wild < 0 ? 3 : wild).map(Number);
  if (given.length === 0) return () => operator !== '!=';
  const start = versionOf(given);
  const isFrom = (version: Version) => compareVersions(version, start) >= 0;
  const isBefore = (index: number) => {
    const end = versionOf(given.map((part, at) => (at === index ? part + 1 : part)).slice(0, index + 1));
    return (version: Version) => compareVersions(version, end) < 0;
  };
  const isUpTo = isBefore(given.length - 1);
  switch (operator) {
    case '>':
      return (version) => !isUpTo(version);
    case '>=':
    case '=>':
      return isFrom;
    case '<':
      return (version) => !isFrom(version);
    case '<=':
    case '=<':
      return isUpTo;
    case '!=':
      return (version) => !isFrom(version) || !isUpTo(version);
    default: {
      const isIn = operator === '=' ? isUpTo : isBefore(lastFixed(operator, given));
      return (version) => isFrom(version) && isIn(version);
    }
  }
}

/** Returns the index of the last part that a range with `~` or `^` keeps fixed. */
function lastFixed(operator: string, given: readonly number[]): number {
  if (operator !== '^') return Math.min(given.length, 2) - 1;
  const first = given.findIndex((part) => part > 0);
  return first < 0 ? given.length - 1 : first;
}

function versionOf([major = 0, minor = 0, patch = 0]: readonly number[]): Version {
  return [major, minor, patch];
}
