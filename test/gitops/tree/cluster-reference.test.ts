import { Testing } from 'cdk8s';
import { Platform } from '#lib/gitops/platform/platform';
import { Cluster } from '#lib/gitops/tree/cluster';
import { ClusterReference, isClusterReference } from '#lib/gitops/tree/cluster-reference';

test('the reference that a platform returns is read-only', () => {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
  const west = platform.addCluster('west', { domain: 'west.example' }, () => undefined);
  expect({ ...west }).toEqual({ name: 'west', domain: 'west.example' });
  expect(Object.isFrozen(west)).toBe(true);
  expect(() => platform.synth()).toThrow();
});

test('an object with the fields of a reference is not a reference', () => {
  expect(isClusterReference(new ClusterReference('west', {}))).toBe(true);
  const cluster = new Cluster(Testing.app(), 'west');
  for (const other of [cluster, { name: 'west', domain: 'cluster.local' }, 'west', null, undefined]) {
    expect(isClusterReference(other)).toBe(false);
  }
});
