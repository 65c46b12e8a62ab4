import { join } from 'node:path';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { HelmRelease } from '#lib/gitops/charts/helm-release';
import { Platform } from '#lib/gitops/platform/platform';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';
import { runInMemory } from './fake-terminal';

const directory = temporaryDirectory();
const dist = () => join(directory.path, 'dist');
const images = (...args: readonly string[]) => runInMemory(['images', '--from', dist(), ...args]);

function synth(mirror?: { readonly images: string; readonly charts: string }): void {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: dist(), mirror });
  platform.addCluster('home', {}, (cluster) => {
    new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, viz: false });
    new HelmRelease(cluster, 'velero', {
      chart: {
        name: 'velero',
        version: '11.0.0',
        repository: 'https://charts.example.org',
        kinds: [],
        foreignNamespaces: [],
      },
      namespace: 'linkerd',
    });
  });
  platform.synth();
}

test('images lists one image per line, and warns about charts with unknown images', async () => {
  synth();
  const { code, stdout, stderr } = await images();
  expect(code).toBe(0);
  expect(stdout.split('\n')).toContain('cr.l5d.io/linkerd/proxy:edge-26.8.3');
  expect(stdout.endsWith('\n')).toBe(true);
  expect(stderr).toBe(
    'warning: the images of velero 11.0.0 (https://charts.example.org) are unknown: run helm template to list them\n',
  );
});

test('images prints the name of each image in the mirror of --to', async () => {
  synth();
  const { stdout } = await images('--to', 'registry.example.com/mirror');
  const targets = stdout.split('\n').map((line) => line.split(' ').at(1) ?? '');
  expect(targets).toContain('registry.example.com/mirror/linkerd/proxy:edge-26.8.3');
  synth({ images: 'registry.example.com/mirror', charts: 'oci://registry.example.com/charts' });
  expect((await images()).stdout.split('\n').sort()).toEqual(targets.sort());
  expect((await images('--to', 'registry.example.com/mirror', '--charts')).code).toBe(2);
});

test('images lists charts with their repositories, also as JSON', async () => {
  synth();
  expect((await images('--charts')).stdout).toContain('https://helm.linkerd.io/edge linkerd-crds 2026.8.3\n');
  const { images: all, charts, unknown } = JSON.parse((await images('--json')).stdout);
  expect([all.length, charts.length, unknown.length]).toEqual([9, 4, 1]);
});

test('images --only fails for other registries, and prints only their images', async () => {
  synth({ images: 'registry.example.com/mirror', charts: 'oci://registry.example.com/charts' });
  const all = await images('--only', 'registry.example.com/mirror', 'oci://registry.example.com/charts/');
  expect([all.code, all.stdout]).toEqual([0, '']);
  const some = await images('--charts', '--only', 'registry.example.com/mirror');
  expect(some.code).toBe(1);
  expect(some.stderr).toContain('error: 0 images and 4 charts are not from registry.example.com/mirror\n');
  expect(some.stdout.split('\n').length).toBe(5);
});

test('images refuses a folder without an output, and reports unreadable files', async () => {
  expect((await images()).code).toBe(2);
  writeFiles(dist(), {
    'home/cdk8s-linkerd.index': JSON.stringify({ writer: 'x', charts: [], files: ['a/b.yaml'] }),
    'home/a/b.yaml': '}',
  });
  const { code, stdout, stderr } = await images();
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain('warning: home/a/b.yaml cannot be read');
  const held = await images('--only', 'registry.example.com');
  expect(held.code).toBe(1);
  expect(held.stderr).toContain('error: files that cannot be read may contain other images or charts');
});

test('images warns about a chart if its images are unknown in one of several clusters', async () => {
  const dependency = { name: 'linkerd-multicluster', version: '2026.8.3', repository: 'https://helm.linkerd.io/edge' };
  const index = { writer: 'x', charts: [], files: ['viz/Chart.yaml', 'viz/values.yaml'] };
  const valuesOf = { a: {}, b: { gateway: 5 }, c: {} };
  for (const [cluster, values] of Object.entries(valuesOf)) {
    writeFiles(dist(), {
      [`${cluster}/cdk8s-linkerd.index`]: JSON.stringify(index),
      [`${cluster}/viz/Chart.yaml`]: JSON.stringify({ dependencies: [dependency] }),
      [`${cluster}/viz/values.yaml`]: JSON.stringify({ 'linkerd-multicluster': values }),
    });
  }
  const { stdout, stderr } = await images();
  expect(stdout).not.toBe('');
  expect(stderr).toContain('warning: the images of linkerd-multicluster 2026.8.3');
});

test.each(['<<<<<<< HEAD', '', '{"writer": "x", "charts": [], "files": ["a/'])(
  'images --only fails with a damaged index: %j',
  async (index) => {
    writeFiles(dist(), { 'home/cdk8s-linkerd.index': index });
    const { code, stderr } = await images('--only', 'registry.example.com');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^warning: home\/cdk8s-linkerd\.index cannot be read: it is not JSON/);
  },
);

test('images escapes invalid images and terminal commands', async () => {
  const pod = (image: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ image }] },
  });
  writeFiles(dist(), {
    'home/cdk8s-linkerd.index': JSON.stringify({ writer: 'x', charts: [], files: ['a/b.yaml'] }),
    'home/a/b.yaml': JSON.stringify(pod('a\nevil.example.com/b\u001b[2J')),
  });
  expect((await images()).stdout).toBe('a\\nevil.example.com/b\\u001b[2J\n');
  expect((await images('--json')).stdout).not.toContain('\u001b');
});
