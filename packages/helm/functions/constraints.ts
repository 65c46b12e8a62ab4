import type { Budget } from '../go/values';
import { type Comparison, type Constraint, readComparison } from './comparison';
import { comparePrereleases, compareVersions, type Version } from './version';

const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const PART = '[0-9xX*]+';

/** A comparison as nearly all charts write it. Each text matches in one way only, so matching takes linear time. */
const COMMON = new RegExp(
  `^ ?(|=|!=|>|<|>=|=>|<=|=<|~|~>|\\^) ?v?(${PART})(\\.${PART})?(\\.${PART})?(-${IDENTIFIERS})?(?:\\+${IDENTIFIERS})? ?$`,
);

/** Reads a constraint: `>=1.2, <2 || ^3.1`. @throws FunctionError if it is not a constraint */
export function readConstraint(text: string, budget: Budget): Constraint {
  budget.spend(text.length);
  const alternatives = text.split('||').map((segment) => segment.split(','));
  if (!alternatives.flat().every((comparison) => COMMON.test(comparison))) return readAny(text, budget);
  return alternatives.map((comparisons) => comparisons.map((one) => readComparison(COMMON.exec(one)?.slice(1) ?? [])));
}

/** Loads the expressions for all other constraints: compiling them takes longer than most templates. */
function readAny(text: string, budget: Budget): Constraint {
  const { readAnyConstraint } = require('./any-constraint') as typeof import('./any-constraint');
  return readAnyConstraint(text, budget);
}

/** Whether a version satisfies a constraint. A prerelease satisfies only an alternative that names a prerelease. */
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

/** `>11` means the next major version, `>11.1` the next minor one: 11.1.1 is not greater than 11.1. */
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
