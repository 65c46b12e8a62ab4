import { counted } from '#base/counted';
import { type FilePlace, type Finding, shownPlace } from '#base/findings/finding';
import { listed } from '#base/findings/listed';
import { printableLine, printableText } from '#base/findings/printable-text';
import { headline, sentence } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';
import type { BaselineEntry } from './baseline';
import type { LintFormat } from './formats';
import { junitText } from './junit';
import type { LintResult } from './lint';
import { type NotRead, unreadCount, unreadEntries } from './unread';

/** The result of a check, without the findings that the configuration or the baseline excludes. */
export interface LintReport extends Omit<LintResult, 'skipped'> {
  /** The number of findings in the baseline. */
  readonly known: number;
  /** Entries of the baseline that match no finding. */
  readonly idle: readonly BaselineEntry[];
  readonly unread: readonly NotRead[];
}

/** Limits of size, because of which a file is not read. */
const LIMITS: readonly NotRead['why'][] = ['limit', 'too-large'];

/** Whether a report fails the check. If strict, warnings and files beyond the limits also fail it. */
export function isFailed({ findings, unread }: Pick<LintReport, 'findings' | 'unread'>, isStrict: boolean): boolean {
  if (isStrict && unread.some(({ why }) => LIMITS.includes(why))) return true;
  return findings.some(({ severity }) => isStrict || severity === 'error');
}

/** Returns the findings in the order of their places. */
export function inOrder(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(({ source: one = NOWHERE }, { source: other = NOWHERE }) => {
    if (one.file !== other.file) return one.file < other.file ? -1 : 1;
    return (one.line ?? 0) - (other.line ?? 0);
  });
}

const NOWHERE: FilePlace = { file: '' };

/** Formats a report: the findings, and in JSON also what is not read. */
export function formatReport(format: LintFormat, report: LintReport, isStrict: boolean): string {
  const { accepted, known } = report;
  const findings = report.findings.map(withoutRepetition);
  if (format === 'text') return findingsText(findings);
  if (format === 'junit') return junitText(findings, isStrict);
  const { formatOutcome } =
    require('../../gitops/platform/finding-formats') as typeof import('../../gitops/platform/finding-formats');
  return formatOutcome(format, {
    outcome: isFailed(report, isStrict) ? 'refused' : 'up-to-date',
    findings,
    accepted,
    unread: unreadEntries(report.unread),
    acknowledged: accepted.length + known,
    differences: [],
  });
}

/** Maximum number of findings of one code in text. */
const MAX_SHOWN = 100;

/** Formats findings as text: the first ones of each code, and the number of the others. */
export function findingsText(findings: readonly Finding[]): string {
  const counts = new Map<string, number>();
  const shown = findings.filter(({ problem: { code } }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= MAX_SHOWN;
  });
  const others = [...counts].flatMap(([code, count]) =>
    count > MAX_SHOWN
      ? [`${code}: ${counted(count - MAX_SHOWN, 'more finding')}. To see all: --only ${code} --format json`]
      : [],
  );
  return [...shown.flatMap(linesOf), ...others].map((line) => `${printableLine(redact(line))}\n`).join('');
}

/** A finding as compilers print it: place and severity on the first line. */
function linesOf(finding: Finding): readonly string[] {
  const { severity, source, problem } = finding;
  const place = source === undefined ? '' : `${shownPlace(source)}: `;
  return [
    `${place}${severity}: ${objectAndMistake(finding)} [${problem.code}]`,
    `  ${sentence(problem.why)}`,
    `  Fix: ${sentence(problem.fix)}`,
  ];
}

/** Removes the object from the place of a mistake, if it is also the path of the finding. */
function withoutRepetition(finding: Finding): Finding {
  const { place, ...problem } = finding.problem;
  if (place === undefined || !`${place}: `.startsWith(`${finding.path}: `)) return finding;
  const rest = place.slice(finding.path.length + 2);
  return { ...finding, problem: { ...problem, ...(rest !== '' && { place: rest }) } };
}

/** Adds the object to a mistake, except if the mistake names it. */
function objectAndMistake({ path, problem, source }: Finding): string {
  const mistake = headline(problem);
  return mistake.includes(path) || path === source?.file ? mistake : `${path}: ${mistake}`;
}

const MAX_NAMED = 3;

/** Returns the numbers of a report in one line, and the entries of a baseline that match no finding. */
export function summaryOf({
  findings,
  accepted,
  known,
  idle,
  unread,
  objects,
  files,
  valuesFiles,
  assumed,
  unknown,
}: LintReport): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const ofRelease = assumed === undefined ? '' : ` (of ${assumed}: no file names the release)`;
  const ofValues = valuesFiles === 0 ? '' : `, ${counted(valuesFiles, 'file')} of values${ofRelease}`;

  const numbers = [
    `${counted(objects, 'object')} in ${counted(files, 'file')}${ofValues}: ${counted(errors, 'error')}`,
    counted(findings.length - errors, 'warning'),
    ...(accepted.length === 0 ? [] : [`${accepted.length} accepted`]),
    ...(known === 0 ? [] : [`${known} in the baseline`]),
    ...(unread.length === 0 ? [] : [`${unreadCount(unread)} not read`]),
    ...(unknown === 0 ? [] : [`${counted(unknown, 'reference')} to objects outside of these files not checked`]),
  ].join(', ');
  if (idle.length === 0) return numbers;
  const names = listed(
    idle.map(({ code, object }) => `${code} of ${object}`),
    MAX_NAMED,
  );
  return printableText(redact(`${numbers}\nThe baseline lists findings that no longer exist: ${names}`));
}
