import { RE2JS } from 're2js';
import { FunctionError } from '../template/values';
import { comparePrereleases, compareVersions, readVersion, type Version } from './version';

/** Alternatives of comparisons that have to hold together. */
export type Constraint = readonly (readonly Comparison[])[];

interface Comparison {
  readonly operator: string;
  readonly version: Version;
  /** The version leaves parts open: `1.x`, `1`. */
  readonly isOpen: boolean;
  readonly isMinorOpen: boolean;
  readonly isPatchOpen: boolean;
}

const IDENTIFIERS = '[0-9A-Za-z\\-]+(?:\\.[0-9A-Za-z\\-]+)*';
const PART = '[0-9|x|X|\\*]+';
const CORE = `v?(?:${PART})(?:\\.${PART})?(?:\\.${PART})?(?:-${IDENTIFIERS})?(?:\\+${IDENTIFIERS})?`;
const SPACE = '[\\t\\n\\f\\r ]';
/** In this order: an alternative that comes first wins, as in the expression of the Go library. */
const OPERATORS = '=|!=|>|<|>=|=>|<=|=<|~|~>|\\^';
const ONE = `(?:|${OPERATORS})${SPACE}*(?:${CORE})`;

// Go's own kind of expressions: with those of JavaScript a long text could take exponential time.
const SEGMENT = RE2JS.compile(`^(?:${SPACE}*${ONE}${SPACE}*)(?:(?:${SPACE}+|,${SPACE}*)${ONE}${SPACE}*)*$`);
const EACH = RE2JS.compile(ONE);
const RANGE = RE2JS.compile(`${SPACE}*(${CORE})${SPACE}+-${SPACE}+(${CORE})${SPACE}*`);
const COMPARISON = RE2JS.compile(
  `^${SPACE}*(|${OPERATORS})${SPACE}*v?(${PART})(\\.${PART})?(\\.${PART})?(-${IDENTIFIERS})?(?:\\+${IDENTIFIERS})?${SPACE}*$`,
);

/** Reads a constraint: `>=1.2, <2 || ^3.1`. Errors: it is none. */
export function readConstraint(text: string): Constraint {
  const rewritten = RANGE.matcher(text).replaceAll('>= $1, <= $2 ');
  return rewritten.split('||').map((segment) => {
    if (!SEGMENT.matcher(segment).find()) throw new FunctionError(`improper constraint: ${segment}`);
    return comparisonsOf(segment).map(readComparison);
  });
}

function comparisonsOf(segment: string): string[] {
  const matcher = EACH.matcher(segment);
  const comparisons: string[] = [];
  while (matcher.find()) comparisons.push(matcher.group() ?? '');
  return comparisons;
}

function readComparison(text: string): Comparison {
  const match = COMPARISON.matcher(text);
  if (!match.find()) throw new FunctionError(`improper constraint: ${text}`);
  const [operator, major, minor, patch, prerelease] = [1, 2, 3, 4, 5].map((group) => match.group(group) ?? undefined);
  const isMajorOpen = isOpenPart(major);
  const isMinorOpen = !isMajorOpen && isOpenPart(minor);
  const isPatchOpen = !isMajorOpen && !isMinorOpen && isOpenPart(patch);
  const isOpen = isMajorOpen || isMinorOpen || isPatchOpen;
  const core = isMajorOpen ? '0.0.0' : isMinorOpen ? `${major}.0.0` : `${major}${minor}${isPatchOpen ? '.0' : patch}`;
  return { operator: operator ?? '', version: parsed(core + (prerelease ?? '')), isOpen, isMinorOpen, isPatchOpen };
}

function parsed(text: string): Version {
  try {
    return readVersion(text);
  } catch {
    throw new FunctionError('constraint parser error');
  }
}

function isOpenPart(part: string | undefined): boolean {
  return part === undefined || /^\.?[xX*]$/.test(part);
}

/** Reports whether a version satisfies a constraint. Prereleases do only where an alternative names one. */
export function checkConstraint(constraint: Constraint, version: Version): boolean {
  return constraint.some((comparisons) => {
    if (version.prerelease !== '' && comparisons.every((comparison) => comparison.version.prerelease === ''))
      return false;
    return comparisons.every((comparison) => (CHECKS[comparison.operator] ?? isWithinOrEqual)(version, comparison));
  });
}

type Check = (version: Version, comparison: Comparison) => boolean;

const isWithinTilde: Check = (v, { version: c, isMinorOpen, isPatchOpen }) => {
  if (compareVersions(v, c) < 0) return false;
  if (c.major === 0n && c.minor === 0n && c.patch === 0n && !isMinorOpen && !isPatchOpen) return true;
  return v.major === c.major && (isMinorOpen || v.minor === c.minor);
};

const isWithinOrEqual: Check = (v, comparison) =>
  comparison.isOpen ? isWithinTilde(v, comparison) : compareVersions(v, comparison.version) === 0;

const isDifferent: Check = (v, { version: c, isOpen, isMinorOpen, isPatchOpen }) => {
  if (!isOpen) return compareVersions(v, c) !== 0;
  if (v.major !== c.major) return true;
  if (isMinorOpen) return false;
  if (v.minor !== c.minor) return true;
  if (isPatchOpen) return comparePrereleases(v.prerelease, c.prerelease) !== 0;
  return v.patch !== c.patch || compareVersions(v, c) !== 0;
};

/** `>11` and `>11.1` mean the next minor or major version: 11.1.1 is not greater than 11.1. */
const isGreater: Check = (v, { version: c, isOpen, isMinorOpen, isPatchOpen }) => {
  if (!isOpen) return compareVersions(v, c) > 0;
  if (v.major !== c.major) return v.major > c.major;
  if (isMinorOpen) return false;
  return isPatchOpen ? v.minor > c.minor : compareVersions(v, c) > 0;
};

const isLessOrEqual: Check = (v, { version: c, isOpen, isMinorOpen }) => {
  if (!isOpen) return compareVersions(v, c) <= 0;
  return v.major < c.major || (v.major === c.major && (isMinorOpen || v.minor <= c.minor));
};

const isLess: Check = (v, { version }) => compareVersions(v, version) < 0;
const isGreaterOrEqual: Check = (v, { version }) => compareVersions(v, version) >= 0;

const isWithinCaret: Check = (v, { version: c, isMinorOpen, isPatchOpen }) => {
  if (compareVersions(v, c) < 0 || v.major !== c.major) return false;
  if (c.major > 0n || isMinorOpen) return true;
  if (v.minor !== c.minor) return false;
  return c.minor > 0n || isPatchOpen || v.patch === c.patch;
};

const CHECKS: Readonly<Record<string, Check>> = {
  '': isWithinOrEqual,
  '=': isWithinOrEqual,
  '!=': isDifferent,
  '>': isGreater,
  '<': isLess,
  '>=': isGreaterOrEqual,
  '=>': isGreaterOrEqual,
  '<=': isLessOrEqual,
  '=<': isLessOrEqual,
  '~': isWithinTilde,
  '~>': isWithinTilde,
  '^': isWithinCaret,
};
