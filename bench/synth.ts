/**
 * How long it takes to synthesize 1, 10, 100 and 300 clusters: by Platform, into nothing and over its own output; by
 * cdk8s' App.synth, of the same constructs; and, as the floor, to write the same bytes. Each measurement runs in a
 * process of its own, so that none warms up or fills the memory of another; starting the process is not counted.
 *
 *   npx tsx bench/synth.ts [home|objects] [numbers of clusters]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { App, YamlOutputType } from 'cdk8s';
import { Platform } from '../lib/platform/platform';
import { Cluster } from '../lib/tree/cluster';
import { TREES, type Tree } from './trees';

const SUBJECTS = ['fresh', 'unchanged', 'cdk8s', 'floor'] as const;
type Subject = (typeof SUBJECTS)[number];

interface Measurement {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly files: number;
}

const nameOf = (index: number) => `cluster-${index}`;

function synthPlatform(outdir: string, tree: Tree, clusters: number): number {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
  for (let index = 0; index < clusters; index += 1) {
    const name = nameOf(index);
    platform.addCluster(name, { ...tree.props, destination: { name } }, tree.build);
  }
  const { written, unchanged } = platform.synth();
  return written + unchanged;
}

function synthApp(outdir: string, tree: Tree, clusters: number): number {
  const app = new App({ outdir, yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE });
  for (let index = 0; index < clusters; index += 1) tree.build(new Cluster(app, nameOf(index), tree.props));
  app.synth();
  return filesBelow(outdir).length;
}

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Returns the part to be measured; what it needs is prepared before. */
function prepare(subject: Subject, tree: Tree, { clusters, directory }: { clusters: number; directory: string }) {
  const outdir = join(directory, 'dist');
  switch (subject) {
    case 'fresh':
      return () => synthPlatform(outdir, tree, clusters);
    case 'unchanged':
      // In another process: a warm one would not show what a user waits for.
      execFileSync(process.execPath, [
        ...process.execArgv,
        __filename,
        'measure',
        'fresh',
        treeName(tree),
        String(clusters),
        directory,
      ]);
      return () => synthPlatform(outdir, tree, clusters);
    case 'cdk8s':
      return () => synthApp(outdir, tree, clusters);
    case 'floor': {
      synthPlatform(outdir, tree, clusters);
      const texts = filesBelow(outdir).map((path) => [join(directory, 'copy', path), readFileSync(path)] as const);
      return () => {
        for (const folder of new Set(texts.map(([path]) => dirname(path)))) mkdirSync(folder, { recursive: true });
        for (const [path, text] of texts) writeFileSync(path, text);
        return texts.length;
      };
    }
  }
}

function treeName(tree: Tree): string {
  return Object.keys(TREES).find((name) => TREES[name] === tree) ?? '';
}

function measureHere(run: () => number): Measurement {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const files = run();
  const { user, system } = process.cpuUsage(cpu);
  const wallMs = performance.now() - start;
  return { wallMs, cpuMs: (user + system) / 1000, peakMiB: process.resourceUsage().maxRSS / 1024, files };
}

function measure(subject: Subject, tree: Tree, { clusters, root }: { clusters: number; root: string }): Measurement {
  const directory = mkdtempSync(join(root, `${subject}-`));
  const args = [...process.execArgv, __filename, 'measure', subject, treeName(tree), String(clusters), directory];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

function row(clusters: number, tree: Tree, root: string): Record<string, string | number> {
  const [fresh, unchanged, cdk8s, floor] = SUBJECTS.map((subject) => measure(subject, tree, { clusters, root })) as [
    Measurement,
    Measurement,
    Measurement,
    Measurement,
  ];
  const ms = ({ wallMs }: Measurement) => wallMs.toFixed(wallMs < 100 ? 1 : 0);
  return {
    clusters,
    files: fresh.files,
    'fresh ms': ms(fresh),
    'CPU ms / cluster': (fresh.cpuMs / clusters).toFixed(1),
    'unchanged ms': ms(unchanged),
    'cdk8s ms': ms(cdk8s),
    'floor ms': ms(floor),
    'fresh / floor': (fresh.wallMs / floor.wallMs).toFixed(1),
    'cdk8s / fresh': (cdk8s.wallMs / fresh.wallMs).toFixed(1),
    'MiB fresh': fresh.peakMiB.toFixed(0),
    'MiB cdk8s': cdk8s.peakMiB.toFixed(0),
  };
}

function main([name = 'home', ...numbers]: readonly string[]): void {
  const tree = TREES[name];
  if (tree === undefined) throw new Error(`There is no tree "${name}", only ${Object.keys(TREES).join(', ')}.`);
  const clusters = numbers.length > 0 ? numbers.map(Number) : [1, 10, 100, 300];
  const root = mkdtempSync(join(tmpdir(), 'bench-synth-'));
  // Removed at the very end: on some disks files are made ten times as slowly just after others were removed.
  try {
    console.table(clusters.map((number) => row(number, tree, root)));
  } finally {
    rmSync(root, { recursive: true });
  }
}

const [command, subject, name = '', clusters, directory = ''] = process.argv.slice(2);
const tree = TREES[name];
if (command === 'measure' && tree !== undefined) {
  const run = prepare(subject as Subject, tree, { clusters: Number(clusters), directory });
  process.stdout.write(JSON.stringify(measureHere(run)));
} else {
  main(process.argv.slice(2));
}
