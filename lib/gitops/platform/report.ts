import { counted } from '#base/counted';
import { redactedException } from '#base/findings/exception';
import { type Finding, mergeEqual, otherPlaces, shownPlace } from '#base/findings/finding';
import { listed } from '#base/findings/listed';
import { headline, sentence } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';
import { grouped } from '#base/grouped';
import type { Difference } from '../synth/output/output-writer';
import { type FindingFormat, formatOutcome, type Outcome } from './finding-formats';

/** The result of a synthesis, or of a check. */
export interface SynthReport {
  /** Number of files that were, or would be, written. */
  readonly written: number;
  /** Number of files that were, or would be, deleted. */
  readonly deleted: number;
  /** Number of files that are up to date. */
  readonly unchanged: number;
  /** The synthesis was a check, which writes nothing. */
  readonly check: boolean;
  /** Names of the synthesized clusters. */
  readonly clusters: readonly string[];
  /** Clusters of an earlier output that no longer exist, whose files are deleted. */
  readonly removedClusters: readonly string[];
  /** Warnings that are not acknowledged. */
  readonly warnings: readonly Finding[];
  /** Number of acknowledged warnings. */
  readonly acknowledged: number;
  /** The differences that a check found; empty otherwise. */
  readonly differences: readonly Difference[];
}

/** All errors of a synthesis. */
export class SynthError extends Error {
  override readonly name = 'SynthError';

  declare readonly findings: readonly Finding[];

  /** Warnings that were also found. */
  declare readonly warnings: readonly Finding[];

  constructor(findings: readonly Finding[], warnings: readonly Finding[] = []) {
    // The name of a construct may contain a secret.
    const clean = mergeEqual(findings.map((finding) => ({ ...finding, path: redact(finding.path) })));
    super(redact(formatErrors(clean)));
    // Not enumerable: Node.js would print them again for an uncaught error, whose message contains them.
    Object.defineProperties(this, { findings: { value: clean }, warnings: { value: mergeEqual(warnings) } });
  }
}

/**
 * Prints the result of a synthesis: the findings and a summary, as text or in a machine-readable format.
 *
 * @throws an error that the user cannot fix, without keys and credentials
 */
export function printResult(synth: () => SynthReport, format: FindingFormat | undefined): Outcome['outcome'] {
  const print = (outcome: Outcome) => {
    if (format !== undefined) process.stdout.write(formatOutcome(format, outcome));
    return outcome.outcome;
  };
  try {
    const report = synth();
    const outcome = print(outcomeOf(report));
    // cdk8s-cli shows only stderr.
    if (report.warnings.length > 0 && format !== 'github') {
      process.stderr.write(`${formatWarnings(report.warnings)}\n`);
    }
    const summary = format === undefined || format === 'github' ? process.stdout : process.stderr;
    summary.write(`${formatReport(report)}\n`);
    return outcome;
  } catch (error) {
    if (!isExpected(error)) throw redactedException(error);
    const outcome = print(outcomeOfError(error));
    const isShown = format === 'github' && error instanceof SynthError;
    process.stderr.write(`${isShown ? nothingWritten(error.findings) : redact(error.message)}\n`);
    return outcome;
  }
}

/** Whether the user can fix an error: an invalid platform, or a failed system call, such as on a full disk. */
function isExpected(error: unknown): error is Error {
  return error instanceof SynthError || (error instanceof Error && 'syscall' in error);
}

function outcomeOf({ check, warnings, acknowledged, differences }: SynthReport): Outcome {
  const checked = differences.length === 0 ? 'up-to-date' : 'different';
  return { outcome: check ? checked : 'written', findings: warnings, acknowledged, differences };
}

/** Returns the outcome of a synthesis that an error ends. */
export function outcomeOfError(error: Error): Outcome {
  const rest = { acknowledged: 0, differences: [] };
  return error instanceof SynthError
    ? { ...rest, outcome: 'refused', findings: [...error.findings, ...error.warnings] }
    : { ...rest, outcome: 'failed', message: redact(error.message), findings: [] };
}

/** Maximum number of errors printed for one construct or file. */
const MAX_PER_PLACE = 100;

/** Formats the errors of each cluster, by construct, with the fix on a separate line. */
export function formatErrors(errors: readonly Finding[]): string {
  const groups = grouped(errors.map((error) => [error.path.split('/', 1).join(), error]));
  const texts = [...groups].map(([cluster, ofCluster]) => {
    const byPath = grouped(ofCluster.map((error) => [error.path, error]));
    const lines = [...byPath.values()].flatMap((ofPath) => [
      // Each line of a file is a separate place.
      ...[...grouped(ofPath.slice(0, MAX_PER_PLACE).map((error) => [placed(error), error]))].flatMap(
        ([place, ofPlace]) => [`  ${place}`, ...ofPlace.flatMap(errorLines)],
      ),
      ...(ofPath.length > MAX_PER_PLACE ? [`    - and ${ofPath.length - MAX_PER_PLACE} more`] : []),
    ]);
    return [`${cluster}: ${counted(ofCluster.length, 'problem')}`, ...lines].join('\n');
  });
  return [...texts, nothingWritten(errors)].join('\n\n');
}

/** Returns the path of a finding, with its place in a file. */
function placed({ path, source }: Finding): string {
  return source === undefined ? path : `${path} (${shownPlace(source)})`;
}

function nothingWritten(errors: readonly Finding[]): string {
  const isPart = errors.some(({ problem: { code, cause } }) => code === 'output-locked' && cause === 'modified');
  return `${isPart ? 'Not everything' : 'Nothing'} was written: ${counted(errors.length, 'problem')}.`;
}

/** Formats differences and a summary. */
export function formatReport(report: SynthReport): string {
  const differences = report.differences.map(({ path, difference }) => `${difference}: ${path}`);
  return redact([...differences, summary(report)].join('\n'));
}

const MAX_NAMED = 3;

/** Formats warnings, each with its code. Equal warnings of several places, such as of many clusters, are grouped. */
export function formatWarnings(warnings: readonly Finding[]): string {
  const groups = grouped(
    warnings.map((warning) => {
      const { code, why, fix } = warning.problem;
      return [JSON.stringify([code, why, fix]), warning];
    }),
  );
  return redact([...groups.values()].map(formatWarningGroup).join('\n'));
}

function formatWarningGroup(group: readonly Finding[]): string {
  const shown = group.slice(0, MAX_NAMED);
  const hidden = group.slice(MAX_NAMED);
  const heads = shown.map((warning) => {
    const { problem } = warning;
    return `warning: ${named([warning])}: ${headline(problem)} [${problem.code}]`;
  });
  const why = group[0]?.problem.why ?? '';
  const fix = group[0]?.problem.fix ?? '';
  return [
    ...heads,
    ...(hidden.length === 0 ? [] : [`  The same for ${named(hidden)}`]),
    `  ${why}`,
    `  Fix: ${fix}`,
  ].join('\n');
}

function named(warnings: readonly Finding[]): string {
  return listed([...new Set(warnings.flatMap((warning) => [placed(warning), ...(warning.alsoAt ?? [])]))], MAX_NAMED);
}

function summary({ check, clusters, removedClusters, acknowledged, ...counts }: SynthReport): string {
  const files = counts.written + counts.unchanged;
  const removed = removedClusters.length > 0 ? `, removed ${removedClusters.join(', ')}` : '';
  const known = acknowledged > 0 ? ` (${counted(acknowledged, 'warning')} acknowledged)` : '';
  const subject = `${counted(clusters.length, 'cluster')}, ${counted(files, 'file')}`;
  if (!check) {
    return `${subject}: ${counts.written} written, ${counts.deleted} deleted, ${counts.unchanged} unchanged${removed}${known}`;
  }
  const { length } = counts.differences;
  return length === 0
    ? `${subject}: up to date${known}`
    : `${subject}: ${counted(length, 'difference')}${removed}${known}; run without --check to write`;
}

function errorLines(finding: Finding): readonly string[] {
  const { problem } = finding;
  const others = otherPlaces(finding);
  return [
    `    - ${sentence(headline(problem))} ${sentence(problem.why)} [${problem.code}]`,
    ...(others === undefined ? [] : [`      Also at ${others}`]),
    `      Fix: ${sentence(problem.fix)}`,
  ];
}

let isGuarded = false;

/**
 * Makes the program exit without an error if the reader of its report stops early (`| head`), and with a message and
 * exit code 1 if the report cannot be written (a full disk). Node.js itself would print a stack trace.
 */
export function guardStandardStreams(): void {
  if (isGuarded) return;
  isGuarded = true;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`cannot write to standard output: ${error.message}\n`);
    process.exitCode = 1;
  });
  // If messages cannot be written either, only the exit code remains.
  process.stderr.on('error', () => {});
}
