import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { counted } from '#base/counted';
import type { Finding } from '#base/findings/finding';
import { beyondBaseline } from '#lib/cli/lint/baseline';
import type { LintFormat } from '#lib/cli/lint/formats';
import { type LintResult, lint } from '#lib/cli/lint/lint';
import { formatReport, inOrder, isFailed, type LintReport, summaryOf } from '#lib/cli/lint/report';
import { ruleLines } from '#lib/cli/lint/rules';
import { type NotRead, unreadLines } from '#lib/cli/lint/unread';
import { gitRootOf } from '#lib/gitops/synth/output/git-place';
import { readFilesAt, readStream } from './lint-files';
import { isIgnored, type LintSettings, readSettings, type SettingOptions, switchOf } from './lint-settings';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `lint`. */
export interface LintCommandOptions extends SettingOptions {
  readonly format: LintFormat;
  readonly strict?: boolean;
  readonly complete?: boolean;
  readonly listRules?: boolean;
  readonly writeBaseline?: boolean;
}

const STDIN = '-';

/** Checks the manifests at paths, and prints the findings. */
export async function lintPaths(
  paths: readonly string[],
  options: LintCommandOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.listRules === true) {
    terminal.stdout.write(`${ruleLines().join('\n')}\n`);
    return EXIT.done;
  }
  const settings = readSettings(options, terminal);
  if (settings === undefined) return EXIT.misuse;
  if (paths.length === 0) throw new Misuse('name files or folders to check, or "-" for standard input');
  if (options.writeBaseline === true && settings.baseline === undefined) {
    throw new Misuse('--write-baseline needs the file to write: --baseline FILE');
  }
  const { result, unread } = await check(paths, options, { settings, terminal });
  const findings = result.findings.flatMap((finding) => switched(finding, options, settings));
  if (options.writeBaseline === true) return writeBaseline(findings, settings.baseline ?? '', terminal);
  const { findings: beyond, known, idle } = beyondBaseline(findings, baselineOf(settings));
  const { skipped, ...counts } = result;
  const report = { ...counts, findings: inOrder(beyond), known, idle, unread: [...unread, ...skipped] };
  return print(report, options, terminal);
}

interface Around {
  readonly settings: LintSettings;
  readonly terminal: Terminal;
}

async function check(
  paths: readonly string[],
  { complete = false }: LintCommandOptions,
  { settings, terminal }: Around,
): Promise<{ readonly result: LintResult; readonly unread: readonly NotRead[] }> {
  const { files, charts, unread } = readFilesAt(
    paths.filter((path) => path !== STDIN),
    { isIgnored: (path) => isIgnored(settings, path) },
  );
  const streams = paths.includes(STDIN) ? [{ name: 'standard input', text: await readStream(terminal) }] : [];
  const { external, clusters, release, trustNamespace } = settings.config;
  const result = lint(files, {
    streams,
    charts,
    external: external ?? (complete ? [] : undefined),
    release,
    trustNamespace,
    clusterOf: clusters && ((path) => clusterOf(path, clusters, settings)),
  });
  return { result, unread };
}

function clusterOf(path: string, clusters: readonly string[], { placeOf }: LintSettings): string | undefined {
  const { clusterIn } = require('#lib/cli/lint/config') as typeof import('#lib/cli/lint/config');
  return clusterIn(clusters, placeOf(path));
}

function switched(finding: Finding, options: LintCommandOptions, { config }: LintSettings): readonly Finding[] {
  const is = switchOf(finding.problem.code, options, config);
  if (is === 'off') return [];
  return [is === 'on' ? finding : { ...finding, severity: is }];
}

function baselineOf({ baseline }: LintSettings): ReturnType<typeof beyondBaseline>['idle'] {
  if (baseline === undefined) return [];
  const { readBaselineAt } = require('./lint-baseline') as typeof import('./lint-baseline');
  return readBaselineAt(baseline);
}

function writeBaseline(findings: readonly Finding[], file: string, { stdout }: Terminal): number {
  const { writeBaselineAt } = require('./lint-baseline') as typeof import('./lint-baseline');
  writeBaselineAt(file, findings);
  stdout.write(`${file}: ${counted(findings.length, 'finding')}, which later runs ignore\n`);
  return EXIT.done;
}

function print(
  report: LintReport,
  { format, strict: isStrict = false }: LintCommandOptions,
  terminal: Terminal,
): number {
  const { stdout, stderr } = terminal;
  for (const line of unreadLines(report.unread)) stderr.write(`${line}\n`);
  stdout.write(formatReport(format, ofRepository(format) ? fromRoot(report) : report, isStrict));
  const summary = `${summaryOf(report)}\n`;
  if (format === 'text') stdout.write(summary);
  else stderr.write(summary);
  if (report.objects + report.valuesFiles === 0 && report.findings.length === 0)
    throw new Misuse(nothingIn(report.unread));
  return isFailed(report, isStrict) ? EXIT.refused : EXIT.done;
}

/** Code scanning and annotations of pull requests find files from the root of the repository. */
function ofRepository(format: LintFormat): boolean {
  return format === 'sarif' || format === 'github';
}

function fromRoot(report: LintReport): LintReport {
  const root = gitRootOf(process.cwd());
  if (root === undefined) return report;
  const placed = (finding: Finding): Finding => {
    const { source } = finding;
    // A finding of an output may name a file that does not exist here.
    if (source === undefined || !existsSync(source.file)) return finding;
    const file = relative(root, resolve(source.file)).split(sep).join('/');
    return file.startsWith('../') ? finding : { ...finding, source: { ...source, file } };
  };
  return { ...report, findings: report.findings.map(placed), accepted: report.accepted.map(placed) };
}

function nothingIn(unread: readonly NotRead[]): string {
  return unread.length === 0
    ? 'there is nothing to check: the files contain no object of Kubernetes, and no values of a chart of Linkerd'
    : 'there is nothing to check: no object could be read';
}
