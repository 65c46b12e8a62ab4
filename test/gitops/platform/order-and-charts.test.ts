import { join } from 'node:path';
import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { ReconcilerOperator } from '#lib/constructs/operator/reconciler-operator';
import { Platform } from '#lib/gitops/platform/platform';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import type { Cluster } from '#lib/gitops/tree/cluster';
import { readFiles, temporaryDirectory } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const repoUrl = 'https://git.example.com/platform.git';

function output(folder: string, add: (platform: Platform) => void, props: object = {}): Record<string, string> {
  const platform = new Platform({ repoUrl, outdir: join(directory.path, folder), ...props });
  add(platform);
  platform.synth();
  return readFiles(join(directory.path, folder));
}

const FLEET = {
  rings: ['canary', 'rest'],
  argocd: { fleet: { clusterLabels: { linkerd: 'true' } }, permitAlso: { namespaces: ['old'] } },
};

const ofFleet = (name: string) => ({ destination: { name }, ring: (name === 'north' ? 'canary' : 'rest') as never });
const alone = (name: string) => ({ destination: { server: `https://${name}.example.com` } });

test.each([
  ['one ApplicationSet for each cluster', {}, alone],
  ['a fleet with rings', FLEET, ofFleet],
] as const)('synth writes the same bytes for any order of clusters: %s', (_, props, propsOf) => {
  const add = (names: readonly string[]) => (platform: Platform) => {
    for (const name of names) {
      const mirror = { charts: `oci://${name}.example.com/charts` };
      platform.addCluster(name, { mirror, ...propsOf(name) }, (cluster) => {
        new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'existing' } });
      });
    }
  };
  const sorted = output('sorted', add(['east', 'north', 'west']), props);
  expect(output('reversed', add(['west', 'north', 'east']), props)).toEqual(sorted);
  expect(output('mixed', add(['north', 'west', 'east']), props)).toEqual(sorted);
});

describe('a mesh in charts within a cluster', () => {
  const build = (scopeOf: (cluster: Cluster, id: string) => Construct) => (platform: Platform) => {
    platform.addCluster('home', {}, (home) => {
      const mesh = new LinkerdMesh(scopeOf(home, 'a'), 'mesh', {
        crds: { gatewayApi: 'existing' },
        highAvailability: true,
      });
      new ReconcilerOperator(scopeOf(home, 'b'), 'operator', { controlPlane: mesh.controlPlane });
    });
  };
  const plain = (files: Record<string, string>) =>
    // The index contains paths of constructs, which differ.
    Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith(INDEX_FILE)));

  test.each<[string, (cluster: Cluster, id: string) => Construct]>([
    ['a chart', (cluster) => (cluster.node.tryFindChild('chart') as Chart | undefined) ?? new Chart(cluster, 'chart')],
    ['a chart for each part', (cluster, id) => new Chart(cluster, id)],
    ['a chart in a chart', (cluster, id) => new Chart(new Chart(cluster, id), 'inner')],
  ])('is written to the same files as without charts: %s', (_, scopeOf) => {
    const files = output(
      'flat',
      build((cluster) => cluster),
    );
    expect(plain(output('nested', build(scopeOf)))).toEqual(plain(files));
  });
});
