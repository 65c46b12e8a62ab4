import { FunctionError } from '../go/values';
import { readVersion, type Version } from './version';

/** Alternatives, each of which is a list of comparisons that must all hold. */
export type Constraint = readonly (readonly Comparison[])[];

/** A comparison with a version. */
export interface Comparison {
  readonly operator: string;
  readonly version: Version;
  /** True if the version leaves parts open: `1.x`, `1`. */
  readonly isOpen: boolean;
  readonly isMinorOpen: boolean;
  readonly isPatchOpen: boolean;
}

/** The parts of a comparison: operator, major, `.minor`, `.patch` and `-prerelease`. */
export type ComparisonParts = readonly (string | undefined)[];

/** Reads a comparison from its parts. @throws FunctionError if a number is too large, or a prerelease is invalid */
export function readComparison([operator, major, minor, patch, prerelease]: ComparisonParts): Comparison {
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
