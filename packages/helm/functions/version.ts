import { FunctionError } from '../go/values';

/** A semantic version. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
  /** The text that it was read from. */
  readonly original: string;
}

const NOT_A_VERSION = 'invalid semantic version';
const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const WHOLE_IDENTIFIERS = new RegExp(`^${IDENTIFIERS}$`);
const VERSION = new RegExp(`^v?(\\d+)(\\.\\d+)?(\\.\\d+)?(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?$`);
const STRICT_VERSION = new RegExp(`^(\\d+)(\\.\\d+)(\\.\\d+)(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?$`);

/** Reads a version that may lack parts, and may start with `v`. @throws FunctionError if the text is not a version */
export function readVersion(text: string): Version {
  return versionFrom(text, VERSION.exec(text));
}

/** Reads a version with three numbers, without leading zeros. @throws FunctionError if the text is not a version */
export function readStrictVersion(text: string): Version {
  if (text === '') throw new FunctionError('version string empty');
  const match = STRICT_VERSION.exec(text);
  if (match?.slice(1, 4).some((part) => /^\.?0\d/.test(part ?? ''))) {
    throw new FunctionError('version segment starts with 0');
  }
  return versionFrom(text, match);
}

function versionFrom(original: string, match: RegExpExecArray | null): Version {
  if (match === null) throw new FunctionError(NOT_A_VERSION);
  const [, major, minor, patch, prerelease = '', metadata = ''] = match;
  checkPrerelease(prerelease);
  return { major: segment(major), minor: segment(minor), patch: segment(patch), prerelease, metadata, original };
}

/** Returns a prerelease. @throws FunctionError if it is invalid */
export function checkPrerelease(text: string): string {
  if (text !== '' && !WHOLE_IDENTIFIERS.test(text)) throw new FunctionError('invalid prerelease string');
  if (text.split('.').some((part) => /^0\d+$/.test(part))) throw new FunctionError('version segment starts with 0');
  return text;
}

/** Returns the metadata of a build. @throws FunctionError if they are invalid */
export function checkMetadata(text: string): string {
  if (text !== '' && !WHOLE_IDENTIFIERS.test(text)) throw new FunctionError('invalid metadata string');
  return text;
}

function segment(text: string | undefined): bigint {
  const digits = text?.replace('.', '') ?? '0';
  const value = digits.length > 40 ? 2n ** 64n : BigInt(digits);
  if (value >= 2n ** 64n) {
    throw new FunctionError(
      `error parsing version segment: strconv.ParseUint: parsing "${digits}": value out of range`,
    );
  }
  return value;
}

/** Formats a version in full, without a leading `v`. */
export function versionText({ major, minor, patch, prerelease, metadata }: Version): string {
  const tail = `${prerelease === '' ? '' : `-${prerelease}`}${metadata === '' ? '' : `+${metadata}`}`;
  return `${major}.${minor}.${patch}${tail}`;
}

/** Returns a version with other numbers, without prerelease and metadata. */
export function withCore(version: Version, [major, minor, patch]: readonly [bigint, bigint, bigint]): Version {
  const v = version.original.startsWith('v') ? 'v' : '';
  const next = { major, minor, patch, prerelease: '', metadata: '', original: '' };
  return { ...next, original: v + versionText(next) };
}

/** Orders versions; metadata does not count. */
export function compareVersions(a: Version, b: Version): -1 | 0 | 1 {
  return (
    order(a.major, b.major) ||
    order(a.minor, b.minor) ||
    order(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

function order<T extends bigint | string>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders prereleases by their parts: a release, which has none, comes after all of them. */
export function comparePrereleases(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  const left = a.split('.');
  const right = b.split('.');
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const part = comparePart(left[i] ?? '', right[i] ?? '');
    if (part !== 0) return part;
  }
  return 0;
}

/** Numbers come before texts; a missing part comes first. */
function comparePart(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  if (a === '') return -1;
  if (b === '') return 1;
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x === undefined && y === undefined) return order(a, b);
  if (x === undefined) return 1;
  return y === undefined ? -1 : order(x, y);
}

function numberOf(part: string): bigint | undefined {
  if (part.length > 20 || !/^\d+$/.test(part)) return undefined;
  const value = BigInt(part);
  return value < 2n ** 64n ? value : undefined;
}
