import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-28';
import { outputInFolder } from '#bin/folder-output';
import { Platform, type PlatformProps } from '#lib/gitops/platform/platform';
import { SynthError } from '#lib/gitops/platform/report';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { Warnings } from '#lib/gitops/tree/add-rule';
import type { Cluster, ClusterDestination } from '#lib/gitops/tree/cluster';
import { outputDiff } from '#lib/review/diff/diff';
import { upgradePlan } from '#lib/review/upgrade/plan';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { component, configMap, release } from '../../support/cluster-fixture';
import { readFiles, temporaryDirectory } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const outdir = () => join(directory.path, 'dist');

/** A cluster with the charts of a release. */
const linkerd = (version: LinkerdVersion) => (cluster: Cluster) => {
  const { crds, controlPlane } = releaseOf(version).charts;
  release(component(cluster, 'crds', 'linkerd-crds'), 'chart', 'linkerd-crds', { chart: crds });
  release(component(cluster, 'linkerd'), 'chart', 'linkerd', { chart: controlPlane });
};

function platform(builds: Readonly<Record<string, (cluster: Cluster) => void>>, props: Partial<PlatformProps> = {}) {
  const made = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: outdir(), ...props });
  for (const [name, build] of Object.entries(builds)) made.addCluster(name, { destination: { name } }, build);
  return made;
}

function errorsOf(synth: () => unknown): readonly string[] {
  try {
    synth();
  } catch (error) {
    if (error instanceof SynthError) return error.findings.map(({ path, problem }) => `${path} ${problem.code}`);
    throw error;
  }
  return [];
}

const [OLD, NEW] = ['stable-2.14.10', 'edge-26.8.3'] as const;
const REASON = 'tried in staging';

test('synth refuses a jump over minor versions, and writes nothing, until acknowledged', () => {
  platform({ home: linkerd(OLD) }).synth();
  const before = readFiles(outdir());
  const jump = { home: linkerd(NEW) };
  for (const check of [false, true, false]) {
    expect(errorsOf(() => platform(jump).synth({ check }))).toEqual(['home release-lines-skipped']);
  }
  expect(readFiles(outdir())).toEqual(before);
  const report = platform(jump, { acknowledge: { 'release-lines-skipped': REASON } }).synth();
  expect(report.warnings.map(({ problem }) => problem.code)).toEqual(['release-changed']);
  expect(report.acknowledged).toBe(1);
  // The jump is done: an acknowledgement that stays would silently accept the next jump.
  const next = platform(jump, { acknowledge: { 'release-lines-skipped': REASON } }).synth({ check: true });
  expect(next.warnings.map(({ problem }) => problem.code)).toEqual(['acknowledged-nothing']);
  expect(platform(jump).synth({ check: true })).toMatchObject({ warnings: [], differences: [] });
});

test('a draft contains the output of a refused jump, so that upgradePlan can compare it', () => {
  platform({ home: linkerd(OLD) }).synth();
  const before = readFiles(outdir());
  const draft = join(directory.path, 'draft');
  for (const _ of [1, 2]) expect(errorsOf(() => platform({ home: linkerd(NEW) }).synth({ draft }))).toEqual([]);
  expect(readFiles(outdir())).toEqual(before);
  const { groups } = upgradePlan(outputInFolder(outdir()), outputInFolder(draft), () => undefined);
  expect(groups.find(({ clusters }) => clusters.includes('home'))?.plan).toMatchObject({
    cluster: 'changed',
    findings: [{ problem: { code: 'release-lines-skipped' } }],
  });
  // A draft reports all other errors.
  const broken = { home: (cluster: Cluster) => void configMap(cluster, 'a', 'lost') };
  expect(errorsOf(() => platform(broken).synth({ draft }))).toEqual(['home/config-map-a reference-missing']);
  for (const wrong of [outdir(), '', 1 as never]) {
    expect(errorsOf(() => platform({ home: linkerd(NEW) }).synth({ draft: wrong }))).toEqual([
      'platform argument-refused',
    ]);
  }
});

test('the acknowledgement of a jump is valid only for its cluster', () => {
  platform({ home: linkerd(OLD), shop: linkerd(OLD) }).synth();
  const acknowledged = (cluster: Cluster) => {
    linkerd(NEW)(cluster);
    Warnings.of(cluster).acknowledge('release-lines-skipped', REASON);
  };
  const both = { home: acknowledged, shop: linkerd(NEW) };
  expect(errorsOf(() => platform(both).synth())).toEqual(['shop release-lines-skipped']);
  expect(errorsOf(() => platform(both).synth({ only: 'home' }))).toEqual([]);
});

test('synth refuses a downgrade if a CRD loses a stored version', () => {
  platform({ home: linkerd(NEW) }).synth();
  expect(errorsOf(() => platform({ home: linkerd(OLD) }).synth())).toEqual([
    'home release-lines-skipped',
    'home crd-versions-removed',
  ]);
});

test('synth reports no release change of clusters that are new, removed or renamed', () => {
  platform({ home: linkerd(OLD), shop: linkerd(OLD) }).synth();
  expect(platform({ home: linkerd(OLD), renamed: linkerd(NEW) }).synth().warnings).toEqual([]);
  expect(platform({ home: linkerd(NEW), renamed: linkerd(NEW) }).synth({ argocd: true }).warnings).toEqual([]);
});

test('synth reads the release from the charts of an old index, and ignores a damaged index', () => {
  platform({ home: linkerd(OLD) }).synth();
  const index = join(outdir(), 'home', INDEX_FILE);
  const { releases: _, definitions: __, ...old } = JSON.parse(readFileSync(index, 'utf8'));
  writeFileSync(index, JSON.stringify(old));
  expect(errorsOf(() => platform({ home: linkerd(NEW) }).synth())).toEqual(['home release-lines-skipped']);
  writeFileSync(index, readFileSync(index, 'utf8').slice(1));
  expect(
    platform({ home: linkerd(NEW) })
      .synth()
      .warnings.map(({ problem }) => problem.code),
  ).toEqual(['index-damaged']);
});

test('synth reads the releases of an index with merge conflicts only if both sides agree', () => {
  const index = join(outdir(), 'home', INDEX_FILE);
  const edit = (change: (text: string) => string) => writeFileSync(index, change(readFileSync(index, 'utf8')));
  platform({ home: linkerd(OLD) }).synth();
  edit((text) => text.replace('  "files"', '<<<<<<< HEAD\n=======\n>>>>>>> theirs\n  "files"'));
  expect(errorsOf(() => platform({ home: linkerd(NEW) }).synth())).toEqual(['home release-lines-skipped']);
  edit((text) =>
    text.replaceAll(/^ *"linkerd.*stable-.*\n/gm, (line) => `${line}${line.replace(/stable-[^"]*/, NEW)}`),
  );
  expect(errorsOf(() => platform({ home: linkerd(NEW) }).synth())).toEqual([]);
});

const workload = (apiVersion: string, kind: string, members: object) => (cluster: Cluster) => {
  const chart = component(cluster, 'shop', 'shop');
  new ApiObject(chart, 'web', { apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, ...members });
};
const pods = (app: string, image = 'nginx:1.27') => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image }] },
});
const selecting = (kind: string, app: string, more: object = {}) =>
  workload('apps/v1', kind, {
    spec: {
      selector: { matchLabels: { app } },
      template: pods(app),
      ...(kind === 'StatefulSet' && { serviceName: 'web' }),
      ...more,
    },
  });
const job = (image: string, restartPolicy = 'Never') =>
  workload('batch/v1', 'Job', { spec: { template: { spec: { ...pods('a', image).spec, restartPolicy } } } });
const sealed = (value: string, immutable: boolean) =>
  workload('v1', 'ConfigMap', { data: { key: value }, ...(immutable && { immutable }) });

type Build = (cluster: Cluster) => void;

test.each<[string, Build, Build, string | undefined]>([
  ...['Deployment', 'DaemonSet', 'StatefulSet', 'ReplicaSet'].map((kind): [string, Build, Build, string] => [
    `the selector of a ${kind}`,
    selecting(kind, 'a'),
    selecting(kind, 'b'),
    `${kind} shop/web (spec.selector)`,
  ]),
  ['the template of a Job', job('nginx:1'), job('nginx:2'), 'Job shop/web (spec.template)'],
  [
    'a podManagementPolicy with its default',
    selecting('StatefulSet', 'a'),
    selecting('StatefulSet', 'a', { podManagementPolicy: 'OrderedReady' }),
    undefined,
  ],
  [
    'another podManagementPolicy',
    selecting('StatefulSet', 'a'),
    selecting('StatefulSet', 'a', { podManagementPolicy: 'Parallel' }),
    'StatefulSet shop/web (spec.podManagementPolicy)',
  ],
  ['data of an immutable ConfigMap', sealed('a', true), sealed('b', true), 'ConfigMap shop/web (data)'],
  ['data of a ConfigMap that becomes immutable', sealed('a', false), sealed('b', true), undefined],
  ['data of a ConfigMap', sealed('a', false), sealed('b', false), undefined],
  [
    'other fields of a Deployment',
    selecting('Deployment', 'a'),
    selecting('Deployment', 'a', { template: pods('a', 'nginx:1.28') }),
    undefined,
  ],
])('synth warns of a change only if Kubernetes refuses it: %s', (_, before, after, objects) => {
  platform({ home: before }).synth();
  for (const check of [true, false]) {
    const { warnings } = platform({ home: after }).synth({ check });
    const found = warnings.filter(({ problem }) => problem.code === 'update-refused');
    expect(found.map(({ problem }) => problem.parameters)).toEqual(objects === undefined ? [] : [{ objects }]);
  }
  expect(platform({ home: after }).synth({ check: true })).toMatchObject({ warnings: [], differences: [] });
});

interface Renaming {
  readonly argocd?: PlatformProps['argocd'];
  readonly old?: ClusterDestination;
  readonly next?: ClusterDestination;
  /** Part of the expected warning. Undefined if the clusters differ. */
  readonly why?: string;
}
const KEEPS = 'keeps those with the old one';
const DELETING = { applicationsSync: 'sync', preserveResourcesOnDeletion: false } as const;

test.each<[string, Renaming]>([
  ['the cluster of Argo CD', { why: KEEPS }],
  ['the cluster of Argo CD by its name', { next: { name: 'in-cluster' }, why: KEEPS }],
  ['one server', { old: { server: 'https://10.0.0.1:6443/' }, next: { server: 'https://10.0.0.1:6443' }, why: KEEPS }],
  ['an ApplicationSet that deletes Applications', { argocd: DELETING, why: 'deletes the old ones together' }],
  ['another server', { old: { server: 'https://10.0.0.1' }, next: { server: 'https://10.0.0.2' } }],
  ['another name', { old: { name: 'one' }, next: { name: 'two' } }],
])('a new cluster with the destination of a removed one is a renamed one: %s', (_, { argocd = {}, old, next, why }) => {
  const made = (name: string, app: string, destination?: ClusterDestination) => {
    const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: outdir(), argocd });
    platform.addCluster(name, { ...(destination && { destination }) }, (cluster) => {
      linkerd(app === 'a' ? OLD : NEW)(cluster);
      selecting('Deployment', app)(cluster);
    });
    return platform;
  };
  made('home', 'a', old).synth();
  const before = outputInFolder(outdir());
  expect(errorsOf(() => made('house', 'b', next).synth({ check: true }))).toEqual(
    why === undefined ? [] : ['house release-lines-skipped'],
  );
  const { warnings } = made('house', 'a', next).synth(why === undefined ? { check: true } : {});
  expect(warnings.map(({ problem }) => problem.code)).toEqual(why === undefined ? [] : ['cluster-renamed']);
  if (why === undefined) return;
  expect(warnings[0]?.problem.why).toContain(why);
  const found = outputDiff({ before, after: outputInFolder(outdir()), from: 'a', to: 'b' });
  expect(found.clusters).toContainEqual({ name: 'house', state: 'changed', renamedFrom: 'home' });
  expect(found.clusters.map(({ name }) => name)).not.toContain('home');
  const consequences = found.groups
    .filter(({ clusters }) => clusters.includes('house'))
    .flatMap((one) => one.consequences);
  expect(consequences).toMatchObject([{ code: 'cluster-renamed', from: 'home' }]);
  const plan = upgradePlan(before, outputInFolder(outdir()), () => []);
  expect(plan.groups.map(({ clusters }) => clusters)).toEqual([['house']]);
  expect(plan.groups[0]?.plan.findings.map(({ problem }) => problem.code)).toEqual(['cluster-renamed']);
  expect(made('house', 'a', next).synth({ check: true })).toMatchObject({ warnings: [], differences: [] });
});

test('a renamed cluster changes the selectors of cdk8s-plus, which Kubernetes refuses', () => {
  const made = (name: string) => {
    const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: outdir() });
    platform.addCluster(name, {}, (cluster) => {
      new Deployment(component(cluster, 'shop', 'shop'), 'web', {
        metadata: { name: 'web', namespace: 'shop' },
        containers: [{ image: 'nginx:1.27' }],
      });
    });
    return platform;
  };
  made('home').synth();
  const { warnings } = made('house').synth();
  expect(warnings.map(({ problem }) => [problem.code, problem.parameters])).toEqual([
    ['cluster-renamed', { before: 'home', after: 'house' }],
    ['update-refused', { objects: 'Deployment shop/web (spec.selector)' }],
  ]);
  expect(warnings[1]?.problem.what).toContain('cdk8s-plus');
});
