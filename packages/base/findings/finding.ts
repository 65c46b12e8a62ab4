import { listed } from './listed';
import type { Problem } from './problem';
import { redact, redactTold } from './redaction';

/** A place in one of the user's files. */
export interface FilePlace {
  /** Path from the root of the repository (`GITHUB_WORKSPACE`, else the working directory), with slashes. */
  readonly file: string;
  /** Absent if the finding concerns the whole file. */
  readonly line?: number;
  readonly column?: number;
}

/** A finding about a construct: an error, which stops the synthesis, or a warning. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** Path of the construct, beginning with the cluster's name; the first path if there are several. */
  readonly path: string;
  readonly problem: Problem;
  /** Other places: paths of other constructs, and other places in the same one. */
  readonly alsoAt?: readonly string[];
  /** Where the program creates the construct, or where a file lists the subject of the finding; absent if unknown. */
  readonly source?: FilePlace;
  /** Other places in files. */
  readonly alsoIn?: readonly FilePlace[];
}

/**
 * Merges equal findings into one that lists their places, the first one first. Findings are equal if they differ only
 * in construct and object.
 */
export function mergeEqual(findings: readonly Finding[]): readonly Finding[] {
  const equal = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const { code, what, why, fix } = finding.problem;
    const key = JSON.stringify([finding.severity, code, what, why, fix]);
    const known = equal.get(key);
    if (known === undefined) equal.set(key, [finding]);
    else known.push(finding);
  }
  return [...equal.values()].map(atAllPlaces);
}

function atAllPlaces(equal: readonly [Finding, ...Finding[]]): Finding {
  const [first] = equal;
  const places = new Map(equal.map(({ path }) => [path, new Set<string>()]));
  for (const { path, problem } of equal) places.get(path)?.add(problem.place ?? '');
  const [, ...alsoAt] = [...places].flatMap(([path, [, ...others]]) => [
    path,
    ...others.map((place) => (path === first.path ? place : `${path}: ${place}`)),
  ]);
  const alsoIn = otherSources(equal);
  return { ...first, ...(alsoAt.length > 0 && { alsoAt }), ...(alsoIn.length > 0 && { alsoIn }) };
}

function otherSources([first, ...others]: readonly [Finding, ...Finding[]]): readonly FilePlace[] {
  const sources = others.flatMap(({ source }) => (source === undefined ? [] : [[shownPlace(source), source] as const]));
  const distinct = new Map(sources);
  if (first.source !== undefined) distinct.delete(shownPlace(first.source));
  return [...distinct.values()];
}

/** Returns a finding with a place in a file, if it has none and the place is known. */
export function located(finding: Finding, source: FilePlace | undefined): Finding {
  return source === undefined || finding.source !== undefined ? finding : { ...finding, source };
}

/** Returns a place as compilers print it: `main.ts:12`, or `fleet.yaml:3:14`. */
export function shownPlace({ file, line, column }: FilePlace): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

const MAX_NAMED = 3;

/** Formats the other places of a finding for messages; undefined if there are none. */
export function otherPlaces({ alsoAt = [], alsoIn = [] }: Pick<Finding, 'alsoAt' | 'alsoIn'>): string | undefined {
  if (alsoAt.length === 0) return undefined;
  const lines = alsoIn.length === 0 ? '' : ` (${listed(alsoIn.map(shownPlace), MAX_NAMED)})`;
  return `${listed(alsoAt, MAX_NAMED)}${lines}`;
}

const NONE: readonly Finding[] = [];

/** Returns problems as findings at one construct, without keys and credentials: findings are written to logs. */
export function findingsAt(path: string, problems: readonly Problem[]): readonly Finding[] {
  // Most calls pass no problems.
  if (problems.length === 0) return NONE;
  return problems.map((problem) => ({
    severity: problem.severity === 'error' ? 'error' : 'warning',
    path,
    problem: redacted(problem),
  }));
}

function redacted({ about, place, what, why, fix, parameters, ...others }: Problem): Problem {
  const [cleanWhat, cleanWhy, cleanFix] = redactTold([what, why, fix]);
  return {
    ...others,
    what: cleanWhat,
    why: cleanWhy,
    fix: cleanFix,
    ...(parameters !== undefined && { parameters: redactedValues(parameters, cleanWhat === what) }),
    ...(about !== undefined && { about: redact(about) }),
    ...(place !== undefined && { place: redact(place) }),
  };
}

/** Any text next to a secret may be a part of it. */
function redactedValues(parameters: NonNullable<Problem['parameters']>, isClean: boolean): Problem['parameters'] {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value !== 'string' ? value : isClean ? redact(value) : '…',
    ]),
  );
}
