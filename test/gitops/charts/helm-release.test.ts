import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart, JsonPatch } from 'cdk8s';
import {
  ChartFolder,
  type ClusterProps,
  ensureNamespace,
  HelmRelease,
  type HelmReleaseProps,
  Platform,
  Reference,
} from '#lib';
import { Match, synthesize } from '#lib/testing';
import { chartFolder, PINNED, WIDGETS } from './widgets-chart';

interface Given extends Partial<HelmReleaseProps> {
  readonly cluster?: ClusterProps;
  readonly use?: (release: HelmRelease) => void;
}

function synth({ cluster = { charts: chartFolder() }, use = () => {}, ...props }: Given = {}) {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
  platform.addCluster('home', cluster, (home) => {
    ensureNamespace(home, 'shop');
    use(new HelmRelease(home, 'widgets', { chart: PINNED, namespace: 'shop', ...props } as HelmReleaseProps));
  });
  return synthesize(platform);
}

const objectsOf = (given?: Given) => synth(given).cluster('home');

test('a HelmRelease never prunes CRDs, and writes cluster-scoped resources without a namespace', () => {
  const home = objectsOf();
  home.hasResource('CustomResourceDefinition', {
    metadata: {
      name: 'widgets.example.com',
      annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' },
    },
  });
  home.hasResource('Widget', { metadata: { name: 'first', namespace: Match.absent() } });
});

test.each([
  ['null', 'shop'],
  ['""', 'shop'],
  ['linkerd', 'linkerd'],
])('a HelmRelease places an object with the namespace %s in the namespace %s', (written, namespace) => {
  const map = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: placed, namespace: ${written} }\n`;
  const charts = chartFolder({ ...WIDGETS, 'templates/placed.yaml': map });
  const external = [Reference.namespace('linkerd')];
  objectsOf({ cluster: { charts }, external }).hasResource('ConfigMap', { metadata: { name: 'placed', namespace } });
});

test.each(['metadata: { generateName: try- }', 'metadata: null', 'data: {}'])(
  'a HelmRelease reports an object without a name: %s',
  (rest) => {
    const files = { ...WIDGETS, 'templates/try.yaml': `apiVersion: v1\nkind: ConfigMap\n${rest}\n` };
    objectsOf({ cluster: { charts: chartFolder(files) } }).hasFinding('chart-not-rendered', {
      place: 'chart widgets, templates/try.yaml',
      subject: 'ConfigMap',
    });
  },
);

test('the user can patch objects of a HelmRelease', () => {
  const home = objectsOf({
    use: (release) => release.patch('Deployment', 'shop-web', JsonPatch.replace('/spec/replicas', 7)),
  });
  home.hasResource('Deployment', { spec: { replicas: 7 } });
});

test('synth refuses a private key that a chart renders', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const secret =
    'apiVersion: v1\nkind: Secret\nmetadata: { name: key }\nstringData: { key: {{ .Values.key | quote }} }\n';
  const files = { ...WIDGETS, 'templates/secret.yaml': secret };
  const home = objectsOf({ cluster: { charts: chartFolder(files) }, values: { key } });
  expect(home.findings().map(({ problem }) => problem.code)).toEqual(['private-key-found']);
});

describe('synth leaves a chart to Argo CD', () => {
  const isLeft = (given: Given) => {
    const home = objectsOf(given);
    home.hasNoFindings();
    home.resourceCountIs('Deployment', 0);
  };

  it('if the folder of charts lacks it', () => isLeft({ chart: { ...PINNED, version: '1.2.4' } }));
  it('if the cluster has no folder of charts', () => isLeft({ cluster: {} }));
  it('if delivery is helm', () => isLeft({ delivery: 'helm' }));
});

test('synth reports a missing chart that it must render', () => {
  objectsOf({ cluster: {}, delivery: 'manifests' }).hasFinding('chart-delivery-refused', { chart: 'widgets 1.2.3' });
});

describe('a folder of charts', () => {
  const path = mkdtempSync(join(tmpdir(), 'charts-'));
  afterAll(() => rmSync(path, { recursive: true }));

  it('without a lock file is reported', () => {
    const cluster = { charts: ChartFolder.at(join(path, 'none')) };
    objectsOf({ cluster }).hasFinding('chart-not-rendered', { lock: 'charts.lock.yaml' });
  });

  it('with another archive than the lock file names is reported', () => {
    const entry = 'name: widgets\n    version: 1.2.3\n    repository: https://charts.example.com';
    writeFileSync(join(path, 'charts.lock.yaml'), `charts:\n  - ${entry}\n    sha256: "${'0'.repeat(64)}"\n`);
    writeFileSync(join(path, 'widgets-1.2.3.tgz'), 'another');
    const home = objectsOf({ cluster: { charts: ChartFolder.at(path) } });
    home.hasFinding('chart-not-rendered', { locked: '0'.repeat(64) });
  });
});

test('a HelmRelease in a plain cdk8s chart renders objects instead of an Application', () => {
  const app = new App();
  const chart = new Chart(app, 'plain');
  new HelmRelease(chart, 'widgets', { chart: PINNED, namespace: 'shop', charts: chartFolder() });
  const objects = synthesize(chart);
  objects.hasResource('Deployment', { metadata: { name: 'widgets-web', namespace: 'shop' } });
  objects.resourceCountIs('Application', 0);
});
