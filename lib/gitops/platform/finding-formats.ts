import { createHash } from 'node:crypto';
import type { Location, Log, ReportingDescriptor, Result } from 'sarif';
import { counted } from '#base/counted';
import { type FilePlace, type Finding, otherPlaces } from '#base/findings/finding';
import { listed } from '#base/findings/listed';
import { printableText } from '#base/findings/printable-text';
import { headline, sentence } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';
import { grouped } from '#base/grouped';
import { LIBRARY_VERSION } from '../synth/output/library-version';
import type { Difference } from '../synth/output/output-writer';

/** The machine-readable formats of a synthesis' findings. */
export const FINDING_FORMATS = ['json', 'sarif', 'github'] as const;

/** A machine-readable format of findings. */
export type FindingFormat = (typeof FINDING_FORMATS)[number];

/** A place in files that a check did not read, or did not check. */
export interface UnreadPlace {
  readonly file: string;
  readonly line?: number;
  readonly what: string;
  readonly cause: string;
  readonly why: string;
  readonly fix: string;
  /** Message of the reader that failed. */
  readonly reason?: string;
  /** Other files whose objects are not read because of this place. */
  readonly hides?: readonly string[];
}

/** The outcome of a synthesis. */
export interface Outcome {
  /** `refused` has errors; `failed` could not read or write files. */
  readonly outcome: 'written' | 'up-to-date' | 'different' | 'refused' | 'failed';
  /** The reason for a failure. */
  readonly message?: string;
  readonly findings: readonly Finding[];
  /**
   * Findings that their objects accept. Only SARIF contains them, as suppressed results.
   *
   * @default []
   */
  readonly accepted?: readonly Finding[];
  /**
   * Places that a check of files did not read. JSON and the annotations of GitHub contain them.
   *
   * @default - none: a synthesis reads no files
   */
  readonly unread?: readonly UnreadPlace[];
  /** The number of acknowledged warnings. */
  readonly acknowledged: number;
  /** The differences that a check found. */
  readonly differences: readonly Difference[];
}

/** Formats the findings of a synthesis. */
export function formatOutcome(format: FindingFormat, outcome: Outcome): string {
  const located = outcome.findings.map(locatedFinding);
  if (format === 'json') return jsonText(outcome, located);
  const accepted = (outcome.accepted ?? []).map(locatedFinding);
  return format === 'sarif' ? sarifText(outcome, located, accepted) : githubText(outcome, located);
}

function locatedFinding({ problem, severity, path, alsoAt = [], source, alsoIn = [] }: Finding): LocatedFinding {
  const clean = (place: FilePlace) => ({ ...place, file: redact(place.file) });
  return {
    ...problem,
    severity,
    // The name of a construct may contain a secret.
    path: redact(path),
    alsoAt: alsoAt.map((one) => redact(one)),
    sources: [...(source === undefined ? [] : [source]), ...alsoIn].map(clean),
    alsoIn: alsoIn.map(clean),
  };
}

type LocatedFinding = Finding['problem'] &
  Required<Omit<Finding, 'problem' | 'source'>> & {
    /** The places in files; the first is the place of the path. */
    readonly sources: readonly FilePlace[];
  };

/** The format that `schemas/findings.schema.json` describes. */
function jsonText(
  { outcome, message, acknowledged, differences, unread }: Outcome,
  findings: readonly LocatedFinding[],
): string {
  return textOf({
    version: 1,
    outcome,
    message,
    findings: findings.map(({ severity, code, path, alsoAt, place, what, why, fix, parameters = {}, sources }) => ({
      severity,
      code,
      path,
      alsoAt,
      place,
      what,
      why,
      fix,
      parameters,
      ...sources[0],
      ...(sources.length > 1 && { places: sources }),
    })),
    acknowledged,
    differences,
    unread,
  });
}

/** The format of code scanning: SARIF 2.1.0. */
function sarifText(
  { outcome, message }: Outcome,
  findings: readonly LocatedFinding[],
  accepted: readonly LocatedFinding[],
): string {
  const first = new Map([...findings, ...accepted].toReversed().map((finding) => [finding.code, finding]));
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
        results: [
          ...findings.map(sarifResult),
          ...accepted.map((finding) => ({ ...sarifResult(finding), suppressions: [{ kind: 'inSource' as const }] })),
        ].map((result) => ({ ...result, ruleIndex: codes.indexOf(result.ruleId ?? '') })),
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
  const { code, severity, path, alsoAt, what, sources } = finding;
  const logicalLocations = [path, ...alsoAt].map((fullyQualifiedName) => ({ fullyQualifiedName }));
  const [first, ...others] = sources.map(sarifLocation);
  return {
    ruleId: code,
    level: severity,
    message: { text: `${path}: ${messageOf(finding)}` },
    locations: [{ ...first, logicalLocations }, ...others],
    // Without the line: all findings of a file may be on one line.
    partialFingerprints: {
      primaryLocationLineHash: createHash('sha256')
        .update(JSON.stringify([code, path, what]))
        .digest('hex')
        .slice(0, 32),
    },
  };
}

function sarifLocation({ file, line = 1, column }: FilePlace): Location {
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(file.toWellFormed()).replace(/[?#]/g, encodeURIComponent) },
      // Without a line, code scanning shows nothing.
      region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
    },
  };
}

/** Workflow commands of GitHub Actions, which annotate files. */
function githubText({ message, unread = [] }: Outcome, findings: readonly LocatedFinding[]): string {
  const failure = message === undefined ? [] : [`::error title=synth-failed::${githubData(message)}\n`];
  const lines = findings.flatMap((finding) => {
    const { severity, code, path, sources } = finding;
    const whole = `${path}: ${messageOf(finding)}`;
    // The path and the place within it belong to the first file only.
    const elsewhere = messageOf({ ...finding, place: undefined });
    const places = sources.length === 0 ? [undefined] : sources;
    return places.map((source, index) => {
      const { column, ...place } = source ?? {};
      const properties = { ...place, ...(column !== undefined && { col: column }), title: code };
      const shown = Object.entries(properties).map(([name, value]) => `${name}=${githubProperty(`${value}`)}`);
      return `::${severity} ${shown.join(',')}::${githubData(index === 0 ? whole : elsewhere)}\n`;
    });
  });
  return [...failure, ...lines, ...unreadLines(unread)].join('');
}

const MAX_NAMED = 3;

/** Returns one annotation for each cause: GitHub shows ten of a kind. */
function unreadLines(unread: readonly UnreadPlace[]): readonly string[] {
  return [...grouped(unread.map((one) => [one.cause, one])).values()].flatMap((group) => {
    const files = [...new Set(group.flatMap(({ file, hides = [] }) => [file, ...hides]))];
    return group.slice(0, 1).map(({ what, why, fix }) => {
      const text = `${counted(files.length, 'file')} ${what}: ${listed(files, MAX_NAMED)}: ${sentence(why)}\nFix: ${sentence(fix)}`;
      return `::warning title=${githubProperty(what.replaceAll(' ', '-'))}::${githubData(text)}\n`;
    });
  });
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

function messageOf(finding: Omit<LocatedFinding, 'place'> & { readonly place?: string | undefined }): string {
  const others = otherPlaces(finding);
  const [what, why, fix] = [headline(finding), finding.why, finding.fix].map(sentence);
  return `${what} ${why}\nFix: ${fix}${others === undefined ? '' : `\nAlso at ${others}`}`;
}

function textOf(data: object): string {
  return `${JSON.stringify(data, undefined, 2)}\n`;
}
