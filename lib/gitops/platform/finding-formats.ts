import { createHash } from 'node:crypto';
import type { Log, ReportingDescriptor, Result } from 'sarif';
import { type Finding, otherPlaces } from '../../kubernetes/findings/finding';
import { printableText } from '../../kubernetes/findings/printable-text';
import { headline, sentence } from '../../kubernetes/findings/problem';
import { redact } from '../../kubernetes/findings/redaction';
import { LIBRARY_VERSION } from '../synth/output/library-version';
import type { Difference } from '../synth/output/output-writer';

/** The forms in which programs can read the findings of a synthesis. */
export const FINDING_FORMATS = ['json', 'sarif', 'github'] as const;

/** One of these forms. */
export type FindingFormat = (typeof FINDING_FORMATS)[number];

/** The outcome of a synthesis. */
export interface Outcome {
  /** A refused one has errors; a failed one could not read or write files. */
  readonly outcome: 'written' | 'up-to-date' | 'different' | 'refused' | 'failed';
  /** The reason of a failure. */
  readonly message?: string;
  readonly findings: readonly Finding[];
  /** The number of acknowledged warnings. */
  readonly acknowledged: number;
  /** The differences that a check found. */
  readonly differences: readonly Difference[];
}

/** A place in a file of the user's. */
export interface FilePlace {
  /** Path from the root of the repository, with slashes. */
  readonly file: string;
  /** Absent where the finding is about the file as a whole. */
  readonly line?: number;
}

/** Returns the place in a file that a finding is about, where one is known. */
export type PlaceOf = (finding: Finding) => FilePlace | undefined;

/** The findings of a synthesis in one of the forms. */
export function formatOutcome(format: FindingFormat, outcome: Outcome, placeOf: PlaceOf): string {
  const located = outcome.findings.map((finding): LocatedFinding => {
    // A construct may have any name.
    const { problem, severity, alsoAt = [] } = finding;
    return {
      ...problem,
      severity,
      path: redact(finding.path),
      alsoAt: alsoAt.map((one) => redact(one)),
      source: placeOf(finding),
    };
  });
  if (format === 'json') return jsonText(outcome, located);
  return format === 'sarif' ? sarifText(outcome, located) : githubText(outcome, located);
}

type LocatedFinding = Finding['problem'] &
  Required<Omit<Finding, 'problem'>> & {
    readonly source: FilePlace | undefined;
  };

/** The form that `schemas/findings.schema.json` describes. */
function jsonText(
  { outcome, message, acknowledged, differences }: Outcome,
  findings: readonly LocatedFinding[],
): string {
  return textOf({
    version: 1,
    outcome,
    message,
    findings: findings.map(({ severity, code, path, alsoAt, place, what, why, fix, parameters = {}, source }) => ({
      severity,
      code,
      path,
      alsoAt,
      place,
      what,
      why,
      fix,
      parameters,
      ...source,
    })),
    acknowledged,
    differences,
  });
}

/** The form of code scanning: SARIF 2.1.0. */
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

/** A rule is its code: each finding says its own cause, reason and remedy. */
function sarifRule({ code, severity }: LocatedFinding): ReportingDescriptor {
  return {
    id: code,
    shortDescription: { text: code.replaceAll('-', ' ') },
    help: { text: `npx cdk8s-linkerd explain ${code}` },
    defaultConfiguration: { level: severity },
  };
}

function sarifResult(finding: LocatedFinding): Result {
  const { code, severity, path, alsoAt, what, source } = finding;
  // Without a line, code scanning shows nothing.
  const physical = source && {
    artifactLocation: { uri: encodeURI(source.file).replace(/[?#]/g, encodeURIComponent) },
    region: { startLine: source.line ?? 1 },
  };
  return {
    ruleId: code,
    level: severity,
    message: { text: `${path}: ${messageOf(finding)}` },
    locations: [
      {
        ...(physical && { physicalLocation: physical }),
        logicalLocations: [path, ...alsoAt].map((fullyQualifiedName) => ({ fullyQualifiedName })),
      },
    ],
    // All findings of a file may be at one line.
    partialFingerprints: {
      primaryLocationLineHash: createHash('sha256')
        .update(JSON.stringify([code, path, what]))
        .digest('hex')
        .slice(0, 32),
    },
  };
}

/** Workflow commands of GitHub Actions, which annotate files. */
function githubText({ message }: Outcome, findings: readonly LocatedFinding[]): string {
  const failure = message === undefined ? [] : [`::error title=synth-failed::${githubData(message)}\n`];
  const lines = findings.map((finding) => {
    const { severity, code, path, source } = finding;
    const properties = { ...source, title: code };
    const shown = Object.entries(properties).map(([name, value]) => `${name}=${githubProperty(`${value}`)}`);
    return `::${severity} ${shown.join(',')}::${githubData(`${path}: ${messageOf(finding)}`)}\n`;
  });
  return [...failure, ...lines].join('');
}

/** Escapes as `@actions/core` does. */
function githubData(text: string): string {
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
