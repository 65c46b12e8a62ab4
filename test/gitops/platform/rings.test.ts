import { join } from 'node:path';
import { Duration } from 'cdk8s';
import type { ArgoCdOptions } from '#lib/gitops/argocd/argocd-objects';
import type { Ring } from '#lib/gitops/argocd/ring';
import { Platform, type PlatformProps } from '#lib/gitops/platform/platform';
import { SynthError } from '#lib/gitops/platform/report';
import { checkApart, linksIn } from '#lib/gitops/platform/rings';
import { parseIndex } from '#lib/gitops/synth/output/cluster-index';
import type { Cluster, ClusterProps } from '#lib/gitops/tree/cluster';
import { DEFAULT_LINKERD_VERSION } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { component, configMap, release } from '../../support/cluster-fixture';
import { cluster, folder } from '../argocd/inventories';
import { readFiles, temporaryDirectory } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const outdir = () => join(directory.path, 'dist');
const RINGS = ['canary', { name: 'rest', revision: 'ring/rest' }] as const;

function platform(clusters: Readonly<Record<string, ClusterProps>>, props: Partial<PlatformProps> = {}) {
  const made = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: outdir(), ...props });
  for (const [name, given] of Object.entries(clusters)) {
    made.addCluster(name, { destination: { name }, ...given }, (cluster: Cluster) => {
      configMap(component(cluster, 'shop'), 'settings', 'shop', { ring: String(cluster.ring) });
    });
  }
  return made;
}

function errorsOf(made: Platform): readonly string[] {
  try {
    made.synth();
  } catch (error) {
    if (error instanceof SynthError) return error.findings.map(({ path, problem }) => `${path} ${problem.code}`);
    throw error;
  }
  return [];
}

test('a cluster uses the revision of its ring, and constructs can read the ring', () => {
  platform({ home: { ring: 'canary' }, east: { ring: 'rest' } }, { rings: RINGS, revision: 'main' }).synth();
  const files = readFiles(outdir());
  const revisions = (cluster: string) =>
    files[`argocd/applicationset.linkerd-mesh-${cluster}.yaml`]?.match(/(?:targetRevision|revision): \S+/g);
  expect(revisions('home')).toEqual(['revision: main', 'targetRevision: main']);
  expect(revisions('east')).toEqual(['revision: ring/rest', 'targetRevision: ring/rest']);
  expect(files['east/shop/configmap.settings.yaml']).toContain('ring: rest');
});

const PROMETHEUS = { namespace: 'monitoring', name: 'prometheus' };

test('the conditions of a ring are in the index of the output', () => {
  const health = { soak: Duration.minutes(90), successRate: 0.99, prometheus: PROMETHEUS };
  platform({ home: { ring: 'canary' } }, { rings: [{ name: 'canary', health }, 'rest'] }).synth();
  expect(parseIndex(readFiles(outdir())['argocd/cdk8s-linkerd.index'] ?? '').rings).toEqual([
    { name: 'canary', health: { soak: '1h30m', successRate: 0.99, prometheus: 'monitoring/prometheus:9090' } },
    { name: 'rest' },
  ]);
});

test.each<[string, unknown, string]>([
  ['a success rate without a Prometheus', { successRate: 0.9 }, 'ring-refused'],
  ['a success rate in percent', { successRate: 99, prometheus: PROMETHEUS }, 'ring-refused'],
  ['a Prometheus without a name', { prometheus: { namespace: 'monitoring' } }, 'ring-refused'],
  ['a Prometheus of an invalid port', { prometheus: { ...PROMETHEUS, port: '9090' } }, 'ring-refused'],
  ['a soak that is a string', { soak: '1 hour' }, 'wrong-type'],
  ['an unknown key', { sok: Duration.hours(1) }, 'option-unknown'],
  ['a number in place of a map', 5, 'argument-refused'],
])('conditions of a ring with %s are refused', (_what, health, code) => {
  const rings = [{ name: 'canary', health } as never];
  expect(errorsOf(platform({ home: { ring: 'canary' } }, { rings }))).toContain(`platform ${code}`);
});

test('synth treats conditions of a ring that are null as absent', () => {
  const rings = [
    { name: 'canary', health: { soak: null, successRate: null } } as never,
    { name: 'rest', health: null },
  ];
  platform({ home: { ring: 'canary' } }, { rings: rings as never }).synth();
  expect(parseIndex(readFiles(outdir())['argocd/cdk8s-linkerd.index'] ?? '').rings).toEqual([
    { name: 'canary', health: {} },
    { name: 'rest' },
  ]);
});

test('a move of a cluster to another ring changes only its ApplicationSet and files that contain the ring', () => {
  const synth = (ring: string) => {
    platform({ home: { ring: 'canary' }, east: { ring } }, { rings: RINGS }).synth();
    return readFiles(outdir());
  };
  const [before, after] = [synth('rest'), synth('canary')];
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect(
    Object.keys(after)
      .filter((path) => after[path] !== before[path])
      .sort(),
  ).toEqual([
    'argocd/applicationset.linkerd-mesh-east.yaml',
    'east/cdk8s-linkerd.index',
    'east/shop/configmap.settings.yaml',
  ]);
});

test('synth refuses a cluster without a ring, or with an unknown one', () => {
  expect(errorsOf(platform({ home: { ring: 'canari' }, east: {} }, { rings: RINGS }))).toEqual([
    'home ring-unknown',
    'east ring-missing',
  ]);
  expect(errorsOf(platform({ home: { ring: 'canary' } }))).toEqual(['home ring-unknown']);
  expect(errorsOf(platform({ home: { ring: '__proto__' } }, { rings: RINGS }))).toEqual(['home ring-unknown']);
});

test.each([
  [null],
  [{}],
  [[null]],
  [[7]],
  [[{}]],
  ['canary'],
  [[{ name: 'a', revision: 7 }]],
  [[{ name: 'a', path: [] }]],
])('synth refuses the rings %j', (rings) => {
  const found = errorsOf(platform({ home: {} }, { rings: rings as unknown as typeof RINGS }));
  expect(found).toEqual(['platform argument-refused']);
});

test('synth treats a null in the props of a ring as absent', () => {
  const rings = [{ name: 'a', revision: null, path: null, release: null }] as unknown as typeof RINGS;
  expect(errorsOf(platform({ home: { ring: 'a' } }, { rings }))).toEqual([]);
});

test('the compiler checks the name of a ring', () => {
  const made = new Platform({ repoUrl: 'https://git.example.com/platform.git', rings: RINGS });
  // @ts-expect-error the ring is unknown
  expect(made.addCluster('home', { ring: 'canari' }, () => undefined).name).toBe('home');
  expect(made.addCluster('east', { ring: 'rest' }, () => undefined).name).toBe('east');
  expect(() => made.synth()).toThrow(SynthError);
});

test('synth warns of a release that skips a ring, unless the platform acknowledges it', () => {
  const linkerd = (cluster: Cluster) => {
    const { charts } = releaseOf(cluster.release ?? DEFAULT_LINKERD_VERSION);
    release(component(cluster, 'linkerd'), 'chart', 'linkerd', { chart: charts.controlPlane });
  };
  const synth = (acknowledge: PlatformProps['acknowledge'] = {}) => {
    const rings = ['canary', { name: 'rest', release: 'edge-26.8.3' }] as const;
    const made = new Platform({
      repoUrl: 'https://git.example.com/platform.git',
      outdir: outdir(),
      rings,
      acknowledge,
    });
    made.addCluster('home', { ring: 'canary', release: '2.19' }, linkerd);
    made.addCluster('east', { ring: 'rest', destination: { name: 'east' } }, linkerd);
    return made.synth({ check: true }).warnings.map(({ path, problem }) => `${path} ${problem.code}`);
  };
  expect(synth()).toEqual(['platform ring-out-of-order']);
  expect(synth({ 'ring-out-of-order': 'a fix that only east needs' })).toEqual([]);
});

test.each<[string, readonly Ring[], ArgoCdOptions, readonly string[]]>([
  ['nothing', [{ name: 'canary' }, { name: 'rest' }], {}, ['rings-not-staged']],
  [
    'their revisions',
    [
      { name: 'canary', revision: 'next' },
      { name: 'rest', revision: 'main' },
    ],
    {},
    [],
  ],
  ['a release', [{ name: 'canary', release: 'edge-26.8.3' }, { name: 'rest' }], {}, []],
  ['a rolling sync', [{ name: 'canary' }, { name: 'rest' }], { fleet: {}, strategy: { type: 'RollingSync' } }, []],
  ['their number', [{ name: 'all' }], {}, []],
])('synth warns of rings that each change reaches at once: separated by %s', (_, rings, argocd, codes) => {
  expect(checkApart(rings, argocd).map(({ code }) => code)).toEqual(codes);
});

test('linked clusters are found by Link objects', () => {
  const link = {
    apiVersion: 'multicluster.linkerd.io/v1alpha3',
    kind: 'Link',
    namespace: 'linkerd-multicluster',
    name: 'west',
  };
  const objects = [link, { ...link, apiVersion: 'example.com/v1', name: 'other' }];
  expect(linksIn(cluster('east', folder('linkerd-multicluster', { objects })))).toEqual(['west']);
});
