import { closest } from 'fastest-levenshtein';
import { CATALOGUE } from '#lib/cli/catalogues';
import type { LintFormat } from '#lib/cli/lint/formats';
import { lint } from '#lib/cli/lint/lint';
import { formatReport, inOrder, isFailed, type LintReport, summaryOf } from '#lib/cli/lint/report';
import { type NotRead, unreadLines } from '#lib/cli/lint/unread';
import { readFilesAt, readStream } from './lint-files';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `lint`. */
export interface LintCommandOptions {
  readonly format: LintFormat;
  readonly strict?: boolean;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly complete?: boolean;
  readonly listRules?: boolean;
}

const STDIN = '-';

/** Checks the manifests at paths, and prints what is wrong with them. */
export async function lintPaths(
  paths: readonly string[],
  options: LintCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { format, strict = false } = options;
  checkCodes(options);
  if (paths.length === 0) throw new Misuse('name files or folders to check, or "-" for standard input');
  const { files, charts, unread } = readFilesAt(
    paths.filter((path) => path !== STDIN),
    () => false,
  );
  const streams = paths.includes(STDIN) ? [{ name: 'standard input', text: await readStream(terminal) }] : [];
  const result = lint(files, { streams, charts, external: options.complete === true ? [] : undefined });
  const findings = inOrder(result.findings.filter(({ problem: { code } }) => isChosen(code, options)));
  const report: LintReport = {
    findings,
    accepted: result.accepted.length,
    known: 0,
    unread: [...unread, ...result.skipped],
    objects: result.objects,
    files: result.files,
    unknown: result.unknown,
  };
  return print(report, { format, isStrict: strict }, terminal);
}

function checkCodes({ only = [], skip = [] }: LintCommandOptions): void {
  const known = new Set(CATALOGUE.map(({ code }) => code));
  for (const code of [...only, ...skip]) {
    if (known.has(code)) continue;
    throw new Misuse(`no finding has the code "${code}"; did you mean "${closest(code, [...known])}"?`);
  }
}

function isChosen(code: string, { only, skip }: LintCommandOptions): boolean {
  return (only?.includes(code) ?? true) && skip?.includes(code) !== true;
}

interface Printing {
  readonly format: LintFormat;
  readonly isStrict: boolean;
}

function print(report: LintReport, { format, isStrict }: Printing, { stdout, stderr }: Terminal): number {
  for (const line of unreadLines(report.unread)) stderr.write(`${line}\n`);
  stdout.write(formatReport(format, report, isStrict));
  const summary = `${summaryOf(report)}\n`;
  if (format === 'text') stdout.write(summary);
  else stderr.write(summary);
  if (report.objects === 0 && report.findings.length === 0) throw new Misuse(nothingIn(report.unread));
  return isFailed(report, isStrict) ? EXIT.refused : EXIT.done;
}

function nothingIn(unread: readonly NotRead[]): string {
  return unread.length === 0
    ? 'there is nothing to check: no file contains an object of Kubernetes'
    : 'there is nothing to check: no object could be read';
}
