import { createHash } from 'node:crypto';
import type { Location, Log, ReportingDescriptor, Result } from 'sarif';
import { type Finding, otherPlaces } from '#base/findings/finding';
import { printableText } from '#base/findings/printable-text';
import { headline, sentence } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';
import { LIBRARY_VERSION } from '../synth/output/library-version';
import type { Difference } from '../synth/output/output-writer';

/** The machine-readable formats of a synthesis' findings. */
export const FINDING_FORMATS = ['json', 'sarif', 'github'] as const;

/** A machine-readable format of findings. */
export type FindingFormat = (typeof FINDING_FORMATS)[number];

/** The outcome of a synthesis. */
export interface Outcome {
  /** `refused` has errors; `failed` could not read or write files. */
  readonly outcome: 'written' | 'up-to-date' | 'different' | 'refused' | 'failed';
  /** The reason for a failure. */
  readonly message?: string;
  readonly findings: readonly Finding[];
  /** The number of acknowledged warnings. */
  readonly acknowledged: number;
  /** The differences that a check found. */
  readonly differences: readonly Difference[];
}

/** A place in one of the user's files. */
export interface FilePlace {
  /** Path from the root of the repository, with slashes. */
  readonly file: string;
  /** Absent if the finding concerns the whole file. */
  readonly line?: number;
}

/** Where findings belong in the files of the user. */
export interface Places {
  /** Returns the place of the cluster that a path begins with; undefined if it begins with none. */
  readonly ofCluster: (path: string) => FilePlace | undefined;
  /** The program, for all other findings; undefined where it is not in the repository. */
  readonly program: FilePlace | undefined;
}

/** Formats the findings of a synthesis. */
export function formatOutcome(format: FindingFormat, outcome: Outcome, places: Places): string {
  const located = outcome.findings.map((finding): LocatedFinding => {
    // A construct may have any name.
    const { problem, severity, alsoAt = [] } = finding;
    return {
      ...problem,
      severity,
      path: redact(finding.path),
      alsoAt: alsoAt.map((one) => redact(one)),
      places: placesOf([finding.path, ...alsoAt], places),
    };
  });
  if (format === 'json') return jsonText(outcome, located);
  return format === 'sarif' ? sarifText(outcome, located) : githubText(outcome, located);
}

type LocatedFinding = Finding['problem'] &
  Required<Omit<Finding, 'problem'>> & {
    /** The places in files, each with what is found there; the place of the path is the first. */
    readonly places: readonly [LocatedPaths, ...LocatedPaths[]];
  };

interface LocatedPaths {
  readonly source: FilePlace | undefined;
  readonly paths: readonly string[];
}

/** Paths that do not start with a cluster are places in the first one. */
function placesOf(
  [path, ...others]: readonly [string, ...string[]],
  { ofCluster, program }: Places,
): LocatedFinding['places'] {
  const source = ofCluster(path) ?? program;
  const first = { source, paths: [redact(path)] };
  const byText = new Map([[JSON.stringify(source), first]]);
  for (const other of others) {
    const place = ofCluster(other) ?? source;
    const text = JSON.stringify(place);
    const known = byText.get(text);
    if (known === undefined) byText.set(text, { source: place, paths: [redact(other)] });
    else known.paths.push(redact(other));
  }
  const [, ...further] = byText.values();
  return [first, ...further];
}

/** The format that `schemas/findings.schema.json` describes. */
function jsonText(
  { outcome, message, acknowledged, differences }: Outcome,
  findings: readonly LocatedFinding[],
): string {
  return textOf({
    version: 1,
    outcome,
    message,
    findings: findings.map(({ severity, code, path, alsoAt, place, what, why, fix, parameters = {}, places }) => ({
      severity,
      code,
      path,
      alsoAt,
      place,
      what,
      why,
      fix,
      parameters,
      ...places[0].source,
      ...(places.length > 1 && { places: places.flatMap(({ source }) => source ?? []) }),
    })),
    acknowledged,
    differences,
  });
}

/** The format of code scanning: SARIF 2.1.0. */
function sarifText({ outcome, message }: Outcome, findings: readonly LocatedFinding[]): string {
  const first = new Map(findings.toReversed().map((finding) => [finding.code, finding]));
  const codes = [...first.keys()].sort();
  const notification = { level: 'error' as const, message: { text: message ?? '' } };
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'cdk8s-linkerd',
            semanticVersion: LIBRARY_VERSION,
            rules: [...first.values()].sort((a, b) => (a.code < b.code ? -1 : 1)).map(sarifRule),
          },
        },
        invocations: [
          {
            executionSuccessful: outcome !== 'failed',
            ...(message === undefined ? {} : { toolExecutionNotifications: [notification] }),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => ({ ...sarifResult(finding), ruleIndex: codes.indexOf(finding.code) })),
      },
    ],
  };
  return textOf(log);
}

/** One rule per code: each finding has its own text. */
function sarifRule({ code, severity }: LocatedFinding): ReportingDescriptor {
  return {
    id: code,
    shortDescription: { text: code.replaceAll('-', ' ') },
    help: { text: `npx cdk8s-linkerd explain ${code}` },
    defaultConfiguration: { level: severity },
  };
}

function sarifResult(finding: LocatedFinding): Result {
  const { code, severity, path, what, places } = finding;
  return {
    ruleId: code,
    level: severity,
    message: { text: `${path}: ${messageOf(finding)}` },
    locations: places.map(sarifLocation),
    // All findings of a file may be on one line.
    partialFingerprints: {
      primaryLocationLineHash: createHash('sha256')
        .update(JSON.stringify([code, path, what]))
        .digest('hex')
        .slice(0, 32),
    },
  };
}

function sarifLocation({ source, paths }: LocatedPaths): Location {
  // Without a line, code scanning shows nothing.
  const physical = source && {
    artifactLocation: { uri: encodeURI(source.file.toWellFormed()).replace(/[?#]/g, encodeURIComponent) },
    region: { startLine: source.line ?? 1 },
  };
  return {
    ...(physical && { physicalLocation: physical }),
    logicalLocations: paths.map((fullyQualifiedName) => ({ fullyQualifiedName })),
  };
}

/** Workflow commands of GitHub Actions, which annotate files. */
function githubText({ message }: Outcome, findings: readonly LocatedFinding[]): string {
  const failure = message === undefined ? [] : [`::error title=synth-failed::${githubData(message)}\n`];
  const lines = findings.flatMap((finding) => {
    const { severity, code, path, places } = finding;
    return places.map(({ source }) => {
      const properties = { ...source, title: code };
      const shown = Object.entries(properties).map(([name, value]) => `${name}=${githubProperty(`${value}`)}`);
      return `::${severity} ${shown.join(',')}::${githubData(`${path}: ${messageOf(finding)}`)}\n`;
    });
  });
  return [...failure, ...lines].join('');
}

/** Escapes the message of a workflow command as `@actions/core` does. */
export function githubData(text: string): string {
  return printableText(text.replaceAll('\r\n', '\n'))
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function githubProperty(text: string): string {
  return githubData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function messageOf(finding: LocatedFinding): string {
  const others = otherPlaces(finding);
  const [what, why, fix] = [headline(finding), finding.why, finding.fix].map(sentence);
  return `${what} ${why}\nFix: ${fix}${others === undefined ? '' : `\nAlso at ${others}`}`;
}

function textOf(data: object): string {
  return `${JSON.stringify(data, undefined, 2)}\n`;
}
