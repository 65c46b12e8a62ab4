import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { RELEASES } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { fingerprintFile } from '../conformance/fingerprint';
import { FINGERPRINTS } from '../conformance/known-renders';
import { checkColumns, releaseOfCharts } from './charts-of-release';
import {
  type ComparedChart,
  compareWithNewest,
  isNothing,
  type NewChart,
  readChart,
  VALUE_FILES,
} from './compare-release';
import { CHARTS, GROUP_FILES, withGroup, withPins, withRow } from './data-edits';

const USAGE = `Adds a release of Linkerd from its charts: control plane, Viz, CNI plugin, CRDs and multi-cluster.

npx tsx tools/release/add.ts --chart DIR --chart DIR --chart DIR --chart DIR --chart DIR [--date YYYY-MM-DD] [--line X.Y] [--injector GROUP]
  [--helm PATH] [--from DIR]... [--dry-run]

  --chart DIR       an official chart as a folder, subcharts included ("helm pull --untar")
  --date DAY        the day of the release (default: today)
  --line X.Y        the latest minor version announced by that day (default: as in the newest known release)
  --injector GROUP  the group of releases whose proxy injector reads the same annotations; no chart contains them, so
                    compare pkg/k8s/labels.go (default: as in the newest known release)
  --helm PATH       the Helm to render with (default: helm)
  --from DIR        read pinned files of cdk8s.yaml from DIR, not from the network; see "npx tsx tools/import/main.ts"
  --dry-run         only print the differences from the newest known release
`;

const ROOT = join(__dirname, '..', '..');
const DATA = join(ROOT, 'packages', 'linkerd', 'releases');
interface Options {
  readonly date: string;
  readonly line: string;
  readonly injector: string;
  readonly from: readonly string[];
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      chart: { type: 'string', multiple: true },
      date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
      'dry-run': { type: 'boolean', default: false },
      from: { type: 'string', multiple: true, default: [] },
      helm: { type: 'string', default: 'helm' },
      injector: { type: 'string', default: RELEASES[0][4] },
      line: { type: 'string', default: RELEASES[0][2] },
    },
  });
  if (values.chart === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  checkColumns(values);
  const charts = await Promise.all(values.chart.map((path) => readChart({ helm: values.helm, path }, CHARTS)));
  const release = releaseOfCharts(
    charts.map(({ identity }) => identity),
    values.date,
  );
  const newest = releaseOf(RELEASES[0][0]);
  const compared: ComparedChart[] = [];
  // Charts with few renders come first, so that errors are found early.
  for (const chart of charts.toSorted((one, other) => CHARTS.indexOf(other.name) - CHARTS.indexOf(one.name))) {
    const one = await compareWithNewest(chart, newest);
    console.log(reportOf(one).join('\n'));
    compared.push(one);
  }
  if (!values['dry-run']) write(release, compared, values);
  return 0;
}

function isSame({ values, fingerprints }: ComparedChart): boolean {
  return values.length === 0 && isNothing(fingerprints);
}

function reportOf(compared: ComparedChart): readonly string[] {
  const { chart, group, values, fingerprints, places } = compared;
  if (isSame(compared)) return [`${chart.name}: equal to the group ${group}`];
  const objects = new Set(fingerprints.flatMap((line) => objectsOf(JSON.parse(line))));
  return [
    `${chart.name}: differs from the group ${group}`,
    ...values.map((line) => `  value ${line}`),
    ...[...objects].sort().map((object) => `  object ${object}`),
    ...places.map((place) => `  ${place.replaceAll('\n', '\n  ')}`),
  ];
}

interface Line {
  readonly objects?: object;
  readonly set?: object;
  readonly gone?: readonly string[];
}

function objectsOf({ objects = {}, set = {}, gone = [] }: Line): readonly string[] {
  return [...Object.keys(objects), ...Object.keys(set), ...gone];
}

function write(release: string, compared: readonly ComparedChart[], { date, line, injector, from }: Options): void {
  const differing = compared.filter((one) => !joinsGroup(one));
  const groups = new Map(compared.map((one) => [one.chart.name, joinsGroup(one) ? one.group : release]));
  const [controlPlane, ...others] = CHARTS.map((name) => groups.get(name) ?? release);
  edit(join(DATA, 'known-releases.ts'), (source) =>
    withRow(source, [release, date, line, controlPlane ?? release, injector, ...others]),
  );
  for (const one of differing) writeGroup(release, one);
  const withValues = compared.filter(({ values }) => values.length > 0).map(({ chart }) => chart);
  if (withValues.length > 0) importValues(release, withValues, from);
  run('tools/conformance/docs.ts');
  run('tools/release/docs.ts');
  console.log(NEXT_STEPS);
}

const NEXT_STEPS = `Next:
  1. Add the features of the templates to new groups in packages/linkerd/releases/groups, and adapt the renderers, until
  npx tsx tools/conformance/run.ts --all finds no difference. Add types of new values to packages/linkerd/releases/chart-values.ts.
  2. For new CRDs, change the pins of crds/ in cdk8s.yaml and run npx tsx tools/import/main.ts.
  3. Run npm run docs, npm run synth and npm test, because the newest release is the default.`;

function joinsGroup(compared: ComparedChart): boolean {
  return isSame(compared) && kubernetesOf(compared) === undefined;
}

/** The oldest version of Kubernetes that the chart linkerd-crds allows, if it has changed. */
function kubernetesOf({ chart }: ComparedChart): string | undefined {
  if (chart.name !== 'linkerd-crds') return undefined;
  const oldest = /^>=\s*(\d+\.\d+)/.exec(chart.identity.kubeVersion ?? '')?.[1];
  return oldest === releaseOf(RELEASES[0][0]).groups.crds.templates.kubernetes ? undefined : oldest;
}

function writeGroup(release: string, compared: ComparedChart): void {
  const { chart, group, values, valuesOf, fingerprints } = compared;
  const kubernetes = kubernetesOf(compared);
  const entry = { group: release, values: values.length > 0 ? release : valuesOf };
  edit(join(DATA, GROUP_FILES[chart.name]), (source) =>
    withGroup(source, group, kubernetes === undefined ? entry : { ...entry, kubernetes }),
  );
  writeFileSync(fingerprintFile(FINGERPRINTS, chart.name, release), fingerprints.map((one) => `${one}\n`).join(''));
}

function importValues(release: string, charts: readonly NewChart[], from: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    for (const { name, path } of charts) {
      const files = Object.keys(VALUE_FILES).filter((file) => existsSync(join(path, file)));
      edit(join(ROOT, 'cdk8s.yaml'), (yaml) => withPins(yaml, name, release, files));
      for (const file of files) copySource(join(path, file), join(folder, 'charts', name, release, file), release);
    }
    const sources = [folder, ...from].flatMap((one) => ['--from', one]);
    run('tools/import/main.ts', ...sources, ...(from.length === 0 ? ['--network'] : []));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Copies values in the form of the sources, which have a placeholder instead of the release. */
function copySource(file: string, target: string, release: string): void {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
  edit(target, (text) => text.replace(`linkerdVersion: ${release}`, 'linkerdVersion: linkerdVersionValue'));
}

function edit(file: string, change: (source: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

function run(...args: readonly string[]): void {
  const { status } = spawnSync(join(ROOT, 'node_modules', '.bin', 'tsx'), args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${args[0]} failed`);
}

void main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 2;
  },
);
