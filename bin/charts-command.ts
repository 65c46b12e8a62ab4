import { basename } from 'node:path';
import type { Problem } from '#base/findings/problem';
import { readArchive } from '#helm/chart/chart';
import { ChartError } from '#helm/chart/chart-error';
import { archiveName, digestOf, isFileName, type LockedChart } from '#helm/chart/charts-lock';
import { readRegularBytes } from '#helm/chart/regular-file';
import { CLI_FINDINGS } from '#lib/cli/findings';
import { publishedDigest } from '#linkerd/charts/published-digests';
import { chartProblem } from '#linkerd/renderers/findings';
import { downloadChart, MAX_ARCHIVE, publicUrl } from './chart-download';
import { FolderBusy, readChartsFolder, readIn, writeChart } from './charts-folder';
import { DownloadError } from './download-error';
import { EXIT, Misuse, problemReport, type Terminal } from './terminal';

/** The options of all commands about a folder of charts. */
export interface ChartsOptions {
  readonly folder: string;
}

/** The options of commands that write to the folder. */
export interface AddChartOptions extends ChartsOptions {
  readonly force?: true;
}

export interface PullChartOptions extends AddChartOptions {
  readonly repo: string;
}

/** Downloads a chart into the folder of charts, and writes its digest into the lock. */
export async function pullChart(
  [name, version]: readonly [name: string, version: string],
  options: PullChartOptions,
  terminal: Terminal,
): Promise<number> {
  if (!isFileName(name) || !isFileName(version))
    throw new Misuse(`"${name}" "${version}" is not the name and the version of a chart`);
  return await reported(terminal, async () => {
    const archive = await downloadChart({ name, version, repository: options.repo });
    const { metadata } = readArchive(archive, name);
    if (metadata.name !== name || metadata.version.replace(/^v/, '') !== version.replace(/^v/, '')) {
      throw new DownloadError(`the archive contains ${metadata.name} ${metadata.version}`);
    }
    const chart = { name, version, repository: publicUrl(options.repo), sha256: digestOf(archive) };
    return await add({ chart, archive }, options, terminal);
  });
}

/** Adds an archive, e.g. of a private repository, to the folder of charts. */
export async function addChart(file: string, options: AddChartOptions, terminal: Terminal): Promise<number> {
  return await reported(terminal, async () => {
    const archive = readIn(file, (path) => readRegularBytes(path, MAX_ARCHIVE));
    const { metadata } = readArchive(archive, basename(file));
    const { name, version } = metadata;
    if (!isFileName(name) || !isFileName(version))
      throw new DownloadError(`it contains the chart "${name}" "${version}"`);
    const chart = { name, version, repository: basename(file), sha256: digestOf(archive) };
    return await add({ chart, archive }, options, terminal);
  });
}

async function add(
  given: { readonly chart: LockedChart; readonly archive: Uint8Array },
  { folder, force }: AddChartOptions,
  terminal: Terminal,
): Promise<readonly Problem[]> {
  const { chart } = given;
  const faked = checkPublished(chart, chart.sha256);
  if (faked.length > 0) return faked;
  const other = await writeChart(folder, given, force === undefined ? {} : { force });
  if (other !== undefined) return checkChart(other, chart.sha256);
  terminal.stdout.write(
    `${folder}/${archiveName(chart)} sha256:${chart.sha256} (published digest: ${publishedDigest(chart) === undefined ? 'unknown' : 'confirmed'})\n`,
  );
  return [];
}

/** Checks the archives in the folder of charts against its lock. Needs no network. */
export async function verifyCharts({ folder }: ChartsOptions, terminal: Terminal): Promise<number> {
  return await reported(terminal, async () => {
    const { charts, digests, partial } = readChartsFolder(folder);
    const named = new Set(charts.map(archiveName));
    const problems = [
      ...charts.flatMap((chart) => checkChart(chart, digests.get(archiveName(chart)))),
      ...[...digests.keys()]
        .filter((file) => !named.has(file))
        .map((file) => CLI_FINDINGS.chartArchiveRefusedUnlisted({ file: `${folder}/${file}` })),
      ...partial.map((file) => CLI_FINDINGS.chartArchiveRefusedPartial({ file: `${folder}/${file}` })),
    ];
    if (problems.length > 0) return problems;
    const confirmed = charts.filter((chart) => publishedDigest(chart) !== undefined);
    terminal.stdout.write(
      charts.length === 0
        ? `${folder} has no charts: cdk8s-linkerd charts pull adds one\n`
        : `All charts in ${folder} (${charts.length}) have the digests of its lock file; published digests confirm ${confirmed.length} of them\n`,
    );
    return [];
  });
}

function checkChart(chart: LockedChart, digest: string | undefined): readonly Problem[] {
  const { name, version, sha256, repository } = chart;
  if (digest === undefined) return [CLI_FINDINGS.chartArchiveRefusedMissing({ name, version, repository })];
  return digest === sha256
    ? checkPublished(chart, digest)
    : [CLI_FINDINGS.chartArchiveRefusedDigest({ file: archiveName(chart), digest, known: sha256 })];
}

function checkPublished(chart: LockedChart, digest: string): readonly Problem[] {
  const published = publishedDigest(chart);
  if (published === undefined || published === digest) return [];
  return [CLI_FINDINGS.chartArchiveRefusedPublished({ file: archiveName(chart), digest, published })];
}

async function reported(terminal: Terminal, run: () => Promise<readonly Problem[]>): Promise<number> {
  let problems: readonly Problem[];
  try {
    problems = await run();
  } catch (error) {
    problems = [problemOf(error)];
  }
  if (problems.length === 0) return EXIT.done;
  terminal.stderr.write(problemReport(problems));
  return EXIT.refused;
}

function problemOf(error: unknown): Problem {
  if (error instanceof ChartError) return chartProblem(error);
  if (error instanceof FolderBusy) return error.problem;
  if (error instanceof DownloadError) return CLI_FINDINGS.chartNotPulled({ reason: error.message });
  throw error;
}
