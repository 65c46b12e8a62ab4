import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'cdk8s';
import type { Construct } from 'constructs';
import { goDurationMs } from '#base/go-duration';
import { mergeValues, type Values } from '#base/values';
import type { Reference } from '#kubernetes/objects/references';
import { migrateRepository } from '#lib/cli/migrate/folder/migrate-repository';
import { readRepository } from '#lib/cli/migrate/folder/read-repository';
import { runParts } from '#lib/cli/migrate/folder/run-parts';
import { type ChartToMigrate, migrateAll } from '#lib/cli/migrate/migrate';
import { RemainingValues } from '#lib/cli/migrate/remaining-values';
import type { ChartRelease } from '#lib/gitops/charts/chart-release';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { Cluster } from '#lib/gitops/tree/cluster';
import { releaseOf } from '#linkerd/releases/release';
import { withoutNulls } from '#linkerd/renderers/chart-view';
import { nativeChartOf } from '#linkerd/renderers/native-charts';
import { errorsIn } from '../../support/findings';
import { EXAMPLES, type Example, PROGRAMS } from './programs';
import { REPOSITORIES } from './repositories';

const ROOT = join(__dirname, '..', '..', '..');
const CACHE = join(ROOT, '.cache');

type Build = (scope: Construct, controlPlane?: unknown) => Construct;

/** The values that constructs set, whatever the given values are. */
const DECIDED = [
  'heartbeatSchedule',
  'identityTrustDomain',
  'identity.externalCA',
  'identity.issuer.scheme',
  ...['proxyInjector', 'profileValidator', 'policyValidator', 'tap', 'tapInjector'].flatMap((webhook) =>
    ['externalSecret', 'injectCaFrom', 'injectCaFromSecret', 'caBundle'].map((key) => `${webhook}.${key}`),
  ),
];
const DECIDED_BY_CONTROL_PLANE = ['clusterDomain', 'linkerdNamespace', 'createNamespaceMetadataJob'];

/** These durations have several notations. */
const DURATIONS = ['issuanceLifetime', 'clockSkewAllowance'];

let folder: string;

beforeAll(() => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(join(CACHE, 'migrate-'));
  for (const [name, program] of PROGRAMS)
    writeFileSync(join(folder, `${name}.ts`), program.replace("'cdk8s-linkerd'", "'../../lib/index'"));
});

afterAll(() => rmSync(folder, { recursive: true }));

function programOf(name: string): Readonly<Record<string, Build | readonly Reference[]>> {
  return require(join(folder, `${name}.ts`));
}

function build(name: string, ...args: Parameters<Build>): Construct {
  const [made] = Object.values(programOf(name)).filter((member) => typeof member === 'function');
  if (made === undefined) throw new Error(`${name} makes nothing`);
  return made(...args);
}

function buildExample({ name, chart, version, values }: Example): Construct {
  const domain = typeof values.clusterDomain === 'string' ? values.clusterDomain : undefined;
  const cluster = new Cluster(new App(), 'home', { domain });
  const mesh = version === 'stable-2.14.10' ? 'stable' : 'nothing';
  return build(name, cluster, chart === 'linkerd-viz' ? build(mesh, cluster) : undefined);
}

function comparable(values: Values, { chart, leftOut = [] }: Example): Values | undefined {
  const remaining = new RemainingValues(withoutNulls(values));
  for (const path of [...DECIDED, ...leftOut, ...(chart === 'linkerd-viz' ? DECIDED_BY_CONTROL_PLANE : [])])
    remaining.take(path);
  return JSON.parse(JSON.stringify(remaining.values), (key, value) =>
    DURATIONS.includes(key) ? goDurationMs(value) : value,
  );
}

test.each(EXAMPLES)('the migrated program $name gives the chart the same values', (example) => {
  const { chart, version, values, namespace } = example;
  const made = buildExample(example) as Construct & { readonly namespace: string };
  expect(made.namespace).toBe(namespace ?? nativeChartOf(chart).namespace);
  const release = made.node.findChild('chart') as ChartRelease;
  const defaults = require(join(ROOT, 'imports', 'charts', chart, `${version}.defaults.json`)) as Values;
  expect(comparable(mergeValues(defaults, release.values), example)).toEqual(
    comparable(mergeValues(defaults, values), example),
  );
});

test.each(EXAMPLES)('the migrated program $name synthesizes with the external objects that it declares', (example) => {
  const { name, version, values } = example;
  const { external = [] } = programOf(name) as { readonly external?: readonly Reference[] };
  const domain = typeof values.clusterDomain === 'string' ? values.clusterDomain : undefined;
  const { findings, files } = buildCluster({
    name: 'home',
    props: { domain, external },
    build: (cluster) => {
      const mesh = version === 'stable-2.14.10' ? 'stable' : 'nothing';
      build(name, cluster, example.chart === 'linkerd-viz' ? build(mesh, cluster) : undefined);
    },
  });
  expect(errorsIn(findings)).toEqual([]);
  expect(files.size).toBeGreaterThan(0);
});

test('synth refuses a migrated program whose trust anchor is missing', () => {
  const { external } = programOf('no-anchor') as { readonly external: readonly Reference[] };
  const { findings } = buildCluster({
    name: 'home',
    props: { external },
    build: (cluster) => build('no-anchor', cluster),
  });
  expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
    { path: 'home/pki', problem: { code: 'trust-anchor-refused', parameters: { field: 'trustAnchor.certificates' } } },
  ]);
});

test.each(['edge-26.8.3', 'stable-2.14.10'] as const)(
  'migrateAll writes one program for all charts of a mesh of %s',
  (version) => {
    const isEdge = version !== 'stable-2.14.10';
    const charts: readonly ChartToMigrate[] = [
      { chart: 'linkerd-viz', values: { dashboard: { replicas: 2 } } },
      {
        chart: 'linkerd-control-plane',
        values: { cniEnabled: true, controllerReplicas: 2, clusterDomain: 'k8s.example' },
      },
      { chart: 'linkerd-crds', values: isEdge ? { installGatewayAPI: true } : { enableHttpRoutes: true } },
      { chart: 'linkerd2-cni', values: { priorityClassName: 'high' } },
      { chart: 'linkerd-jaeger', values: { collector: { enabled: false }, nodeSelector: { a: 'b' } } },
      ...(isEdge ? [{ chart: 'linkerd-multicluster', values: { gateway: { enabled: false } } } as const] : []),
    ];
    const migration = migrateAll(charts, { release: releaseOf(version), newAnchor: true });
    const program = 'program' in migration ? migration.program : '';
    const file = `whole-${version.replaceAll('.', '-')}`;
    writeFileSync(
      join(folder, `${file}.ts`),
      program.replace("'cdk8s-linkerd'", "'../../lib/index'").replaceAll("'TODO'", "'tempo'"),
    );
    const { external = [] } = programOf(file) as { readonly external?: readonly Reference[] };
    const { findings, files } = buildCluster({
      name: 'home',
      props: { domain: 'k8s.example', external },
      build: (cluster) => build(file, cluster),
    });
    expect(errorsIn(findings)).toEqual([]);
    const folders = new Set([...files.keys()].map((path) => path.split('/')[0]));
    expect([...folders]).toEqual(expect.arrayContaining(['linkerd', 'linkerd-cni', 'linkerd-viz', 'linkerd-crds']));
    expect(folders.has(isEdge ? 'linkerd-multicluster' : 'linkerd-jaeger')).toBe(true);
  },
);

test.each(REPOSITORIES)(
  'the program of the repository $name synthesizes, like the calls that it is printed from',
  (example) => {
    const { name, files, newAnchor, cluster } = example;
    const content = readRepository(new Map(Object.entries(files)));
    const migration = migrateRepository(content, { usualRelease: 'edge-26.8.3', newAnchor, cluster });
    if ('problems' in migration) throw new Error(JSON.stringify(migration.problems));
    writeFileSync(
      join(folder, `repository-${name}.ts`),
      migration.program.replace("'cdk8s-linkerd'", "'../../lib/index'"),
    );
    const { external = [] } = programOf(`repository-${name}`) as { readonly external?: readonly Reference[] };
    const props = { domain: migration.clusterDomain, external };
    const program = buildCluster({ name: 'home', props, build: (scope) => build(`repository-${name}`, scope) });
    expect(errorsIn(program.findings)).toEqual([]);
    expect(program.files.size).toBeGreaterThan(0);
    const calls = buildCluster({ name: 'home', props, build: (scope) => runParts(migration.parts, scope) });
    expect(calls.files).toEqual(program.files);
  },
);

test('migrateAll refuses linkerd-multicluster for a release without service mirrors', () => {
  const charts = [{ chart: 'linkerd-multicluster', values: {} }] as const;
  const migration = migrateAll(charts, { release: releaseOf('stable-2.14.10') });
  expect(migration).toMatchObject({ problems: [{ code: 'release-refused', cause: 'no-construct' }] });
});
