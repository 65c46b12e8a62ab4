/**
 * Measures processes that synthesize clusters: Platform into an empty folder, over its own output, with --check and
 * with --only. Compares the commands `report`, `diff` and `--help`, cdk8s' App.synth of the same constructs and, as
 * the floor, a program that only writes the same files. Time and memory are those of the whole process.
 *
 *   npm run bench -- [home|objects] [numbers of clusters, such as 1 300 1000]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Measurement {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
}

type Measurements = Readonly<Record<string, Measurement>>;

/** Number of runs for fewer than FEW clusters, which take less than a second. The fastest counts. */
const RUNS_OF_FEW = 10;
const FEW = 10;

/** The time of cdk8s grows with the square of the number: a thousand clusters take a quarter of an hour. */
const MAX_FOR_CDK8S = 300;

/** Runs a program of Node.js to its end, and measures it. */
function measure(args: readonly string[]): Measurement {
  const start = performance.now();
  const { status, stderr, output } = spawnSync(process.execPath, ['--require', './bench/report-usage.cjs', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const wallMs = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(String(output[3])) as NodeJS.ResourceUsage;
  return { wallMs, cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024 };
}

/** Measures each way to write a number of clusters. */
function measureAll(tree: string, clusters: number, root: string): Measurements {
  const program = (...args: readonly string[]) => ['tools/start/start.cjs', 'bench/fleet.ts', tree, ...args];
  const ours = (...args: readonly string[]) => program('platform', ...args);
  const runs = clusters < FEW ? RUNS_OF_FEW : 1;
  const best = (run: (directory: string) => Measurement) =>
    Array.from({ length: runs }, () => run(mkdtempSync(join(root, 'run-')))).reduce(least);
  const outdir = join(mkdtempSync(join(root, 'output-')), 'dist');
  const platform = (...options: readonly string[]) => ours(String(clusters), outdir, ...options);
  const command = (...args: readonly string[]) => ['tools/start/start.cjs', 'bin/cdk8s-linkerd.ts', ...args];
  // Creates the bundles and the output that the measured runs reuse.
  measure(platform());
  measure(command('--help'));
  const changed = changedCopy(outdir);
  return {
    fresh: best((directory) => measure(ours(String(clusters), directory))),
    unchanged: best(() => measure(platform())),
    check: best(() => measure(platform('--check'))),
    only: best(() => measure(platform('--only', 'cluster-0'))),
    report: best(() => measure(command('report', '--from', outdir, '--out', '-'))),
    diff: best(() => measure(command('diff', outdir, '--to', changed))),
    help: best(() => measure(command('--help'))),
    ...(clusters <= MAX_FOR_CDK8S && {
      cdk8s: best((directory) => measure(program('cdk8s', String(clusters), directory))),
    }),
    floor: best((directory) =>
      measure(['bench/plain-writer.cjs', join(outdir, 'cluster-0'), directory, String(clusters)]),
    ),
  };
}

/** Copies an output and changes the replicas in its first cluster. */
function changedCopy(outdir: string): string {
  const copy = `${outdir}-changed`;
  cpSync(outdir, copy, { recursive: true });
  const files = readdirSync(join(copy, 'cluster-0'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((path) => /deployment\.[^/]*\.yaml$/.test(path))) {
    const path = join(copy, 'cluster-0', file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/replicas: \d+/, 'replicas: 9'));
  }
  return copy;
}

function least(one: Measurement, other: Measurement): Measurement {
  return {
    wallMs: Math.min(one.wallMs, other.wallMs),
    cpuMs: Math.min(one.cpuMs, other.cpuMs),
    peakMiB: Math.max(one.peakMiB, other.peakMiB),
  };
}

function rows(clusters: number, measurements: Measurements) {
  const ratio = (name: string, { wallMs, cpuMs }: Measurement) => {
    const other = measurements[name];
    return other && `${(wallMs / other.wallMs).toFixed(2)} (${(cpuMs / other.cpuMs).toFixed(2)})`;
  };
  return Object.entries(measurements).map(([run, measured]) => ({
    clusters,
    run,
    'wall s': (measured.wallMs / 1000).toFixed(2),
    'CPU s': (measured.cpuMs / 1000).toFixed(2),
    'peak MiB': Math.round(measured.peakMiB),
    'of floor (CPU)': ratio('floor', measured),
    'of fresh (CPU)': ratio('fresh', measured),
    'of cdk8s (CPU)': ratio('cdk8s', measured),
  }));
}

/** CPU milliseconds for each additional cluster. */
function ofFurtherCluster(run: string, sizes: readonly (readonly [clusters: number, Measurements])[]): string {
  const [few, many] = [sizes[0], sizes.at(-1)];
  const [least, most] = [few?.[1][run], many?.[1][run]];
  if (few === undefined || many === undefined || least === undefined || most === undefined) return '';
  return `${run} ${((most.cpuMs - least.cpuMs) / (many[0] - few[0])).toFixed(1)} ms`;
}

function main(args: readonly string[]): void {
  const numbers = args.map(Number).filter((number) => number > 0);
  const sizes = numbers.length > 0 ? numbers.sort((a, b) => a - b) : [1, 300];
  const tree = args.find((arg) => Number.isNaN(Number(arg))) ?? 'home';
  const root = mkdtempSync(join(tmpdir(), 'bench-synth-'));
  // Removed at the end: on some disks, creating files is ten times slower just after a removal.
  try {
    const measured = sizes.map((clusters) => [clusters, measureAll(tree, clusters, root)] as const);
    console.table(measured.flatMap(([clusters, measurements]) => rows(clusters, measurements)));
    const further = ['fresh', 'unchanged', 'check', 'floor'].map((run) => ofFurtherCluster(run, measured));
    if (measured.length > 1) console.log(`CPU of a further cluster: ${further.join(', ')}`);
  } finally {
    rmSync(root, { recursive: true });
  }
}

main(process.argv.slice(2));
