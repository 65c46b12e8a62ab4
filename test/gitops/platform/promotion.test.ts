import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Platform } from '#lib/gitops/platform/platform';
import { SynthError } from '#lib/gitops/platform/report';
import { OutputWriter } from '#lib/gitops/synth/output/output-writer';
import type { Cluster } from '#lib/gitops/tree/cluster';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { component, configMap, release } from '../../support/cluster-fixture';
import { readFiles, temporaryDirectory, writeFiles } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const at = (path: string) => join(directory.path, path);
type RingName = 'canary' | 'early' | 'rest';

/** A fleet with one cluster in each ring, and a setting. */
function platform(setting: string, rings: Readonly<Record<string, RingName>> = { a: 'canary', b: 'early', c: 'rest' }) {
  const made = new Platform({
    repoUrl: 'https://git.example.com/platform.git',
    path: 'clusters/dist',
    outdir: at('clusters/dist'),
    rings: ['canary', { name: 'early', path: 'clusters/promoted' }, { name: 'rest', path: 'clusters/promoted' }],
  });
  for (const [name, ring] of Object.entries(rings)) {
    made.addCluster(name, { ring, destination: { name } }, (cluster: Cluster) => {
      configMap(component(cluster, 'shop'), 'settings', 'shop', { setting });
    });
  }
  return made;
}

const promoted = () => (existsSync(at('clusters/promoted')) ? readFiles(at('clusters/promoted')) : {});
const folders = () => [...new Set(Object.keys(promoted()).map((path) => path.split('/')[0]))].sort();

function errorsOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof SynthError) return error.findings.map(({ path, problem }) => `${path} ${problem.code}`);
    throw error;
  }
  return [];
}

test('a promotion copies the output of a ring, and the next promotion only its changes', () => {
  platform('old').synth();
  expect(platform('old').promote('early')).toMatchObject({ clusters: ['b'], written: 3, unchanged: 0 });
  const dist = readFiles(at('clusters/dist/b'));
  expect(readFiles(at('clusters/promoted/b'))).toEqual(dist);
  expect(platform('old').promote('early')).toMatchObject({ written: 0, unchanged: 3 });
  platform('new').synth();
  // A synthesis does not change promoted files.
  expect(readFiles(at('clusters/promoted/b'))).toEqual(dist);
  const check = platform('new').promote('early', { check: true });
  expect(check.differences).toEqual([{ path: 'b/shop/configmap.settings.yaml', difference: 'different' }]);
  expect(platform('new').promote('early')).toMatchObject({ written: 1 });
  expect(folders()).toEqual(['b']);
});

test('the ApplicationSet of a ring reads the folder to which a promotion copies', () => {
  platform('old').synth();
  const [set] = Object.entries(readFiles(at('clusters/dist/argocd'))).filter(([path]) => path.includes('mesh-c'));
  expect(set?.[1]).toContain('path: clusters/promoted/c/*');
});

test('a promotion removes clusters that left the ring, and keeps clusters of other rings', () => {
  platform('old').synth();
  for (const ring of ['early', 'rest'] as const) platform('old').promote(ring);
  expect(folders()).toEqual(['b', 'c']);
  const moved = platform('old', { a: 'canary', b: 'canary', c: 'rest' });
  expect(moved.promote('rest')).toMatchObject({ removedClusters: ['b'], written: 0 });
  expect(folders()).toEqual(['c']);
});

test('a promotion refuses a missing, partial or foreign output, and writes nothing', () => {
  expect(errorsOf(() => platform('old').promote('rest'))).toEqual(['c promotion-refused']);
  platform('old').synth();
  rmSync(at('clusters/dist/c/shop/configmap.settings.yaml'));
  expect(errorsOf(() => platform('old').promote('rest'))).toEqual(['c promotion-refused']);
  platform('old').synth();
  writeFileSync(at('clusters/dist/c/cdk8s-linkerd.index'), '<<<<<<<');
  expect(errorsOf(() => platform('old').promote('rest'))).toEqual(['c promotion-refused']);
  expect(promoted()).toEqual({});
});

test.each([
  ['canary', 'platform promotion-refused'],
  ['rset', 'platform ring-unknown'],
] as const)('a promotion of the ring %s is refused: %s', (ring, error) => {
  expect(errorsOf(() => platform('old').promote(ring as RingName))).toEqual([error]);
});

test('a promotion is refused while a synth writes the output', () => {
  platform('old').synth();
  const writer = OutputWriter.open(at('clusters/dist'), false);
  expect(errorsOf(() => platform('old').promote('rest'))).toEqual(['platform output-locked']);
  if (writer instanceof OutputWriter) writer.abort();
  expect(promoted()).toEqual({});
  expect(platform('old').promote('rest').written).toBe(3);
});

test('a promotion refuses a path outside of the repository', () => {
  const rings = [{ name: 'rest', path: '../../elsewhere' }] as const;
  const made = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: at('dist'), rings });
  expect(errorsOf(() => made.promote('rest'))).toEqual(['platform repository-refused']);
});

test('a promotion refuses a jump over releases, unless the platform acknowledges it', () => {
  const fleet = (version: LinkerdVersion) => {
    const made = new Platform({
      repoUrl: 'https://git.example.com/platform.git',
      outdir: at('dist'),
      rings: [{ name: 'rest', path: 'promoted' }],
      acknowledge: { 'release-lines-skipped': 'for this test' },
    });
    made.addCluster('a', { ring: 'rest', release: version }, (cluster) => {
      const { charts } = releaseOf(version);
      release(component(cluster, 'linkerd'), 'chart', 'linkerd', { chart: charts.controlPlane });
    });
    made.synth();
    return made;
  };
  fleet('stable-2.14.10').promote('rest');
  const found = fleet('2.19')
    .promote('rest', { check: true })
    .warnings.map(({ problem }) => problem.code);
  expect(found).toEqual(['release-changed']);
  const strict = new Platform({
    repoUrl: 'https://git.example.com/platform.git',
    outdir: at('dist'),
    rings: [{ name: 'rest', path: 'promoted' }],
  });
  strict.addCluster('a', { ring: 'rest' }, () => undefined);
  expect(errorsOf(() => strict.promote('rest'))).toEqual(['a release-lines-skipped']);
});

test('a promotion warns of vendored charts, which it does not copy', () => {
  platform('old').synth();
  const chart = 'c/shop/charts/cert-manager-v1.21.1.tgz';
  writeFiles(at('clusters'), { [`dist/${chart}`]: 'x', 'dist/c/shop/README.md': 'x' });
  const codes = () =>
    platform('old')
      .promote('rest')
      .warnings.map(({ problem: { code, parameters } }) => ({ code, parameters }));
  const parameters = { folder: at('clusters/promoted/c'), charts: 'shop/charts/cert-manager-v1.21.1.tgz' };
  expect(codes()).toEqual([{ code: 'promoted-without-charts', parameters }]);
  writeFiles(at('clusters'), { [`promoted/${chart}`]: 'x' });
  expect(codes().filter(({ code }) => code === 'promoted-without-charts')).toEqual([]);
});
