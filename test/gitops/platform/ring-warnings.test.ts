import {
  type ClusterRelease,
  checkApart,
  checkReleasesOfRings,
  linksIn,
} from '../../../lib/gitops/platform/ring-warnings';
import { cluster, folder } from '../argocd/inventories';

const RINGS = [{ name: 'canary' }, { name: 'early' }, { name: 'rest' }];
const at = (name: string, ring: string, release?: string, ...links: readonly string[]): ClusterRelease => ({
  name,
  ring,
  release,
  links,
});
const told = (clusters: readonly ClusterRelease[]) =>
  checkReleasesOfRings(clusters, RINGS).map(({ path, problem: { code, parameters } }) => ({ path, code, parameters }));

test('a release that goes from ring to ring is as it should be', () => {
  expect(
    told([at('a', 'canary', 'edge-26.8.3'), at('b', 'early', 'edge-26.8.3'), at('c', 'rest', 'edge-26.6.3')]),
  ).toEqual([]);
  expect(told([at('a', 'canary'), at('c', 'rest', 'edge-26.6.3')])).toEqual([]);
});

test('a cluster that stays behind in its ring does not keep later rings back', () => {
  expect(
    told([at('a', 'canary', 'edge-26.8.3'), at('old', 'canary', 'edge-25.10.7'), at('c', 'rest', 'edge-26.6.3')]),
  ).toEqual([]);
});

test('a release that reaches a ring before an earlier one is told, once for the ring', () => {
  const earlier = { earlier: 'canary', earlierRelease: 'edge-26.6.3', earlierCluster: 'a' };
  const parameters = { ...earlier, laterRelease: 'edge-26.8.3' };
  expect(
    told([
      at('a', 'canary', 'edge-26.6.3'),
      at('b', 'early', 'edge-26.8.3'),
      at('c', 'rest', 'edge-26.8.3'),
      at('d', 'rest', 'edge-26.8.3'),
    ]),
  ).toEqual([
    { path: 'platform', code: 'ring-overtaken', parameters: { ...parameters, later: 'early', laterCluster: 'b' } },
    { path: 'platform', code: 'ring-overtaken', parameters: { ...parameters, later: 'rest', laterCluster: 'c' } },
  ]);
});

test('linked clusters may be one line apart, and no more', () => {
  const west = (release: string) => at('west', 'rest', release);
  const east = at('east', 'canary', 'edge-26.8.3', 'west', 'elsewhere');
  expect(told([east, west('edge-25.10.7')])).toEqual([]);
  expect(told([east, west('edge-25.4.4')])).toEqual([
    {
      path: 'east',
      code: 'linked-lines-apart',
      parameters: {
        cluster: 'east',
        release: 'edge-26.8.3',
        line: '2.20',
        target: 'west',
        targetRelease: 'edge-25.4.4',
        targetLine: '2.18',
      },
    },
  ]);
});

test('a link is known by its object', () => {
  const link = {
    apiVersion: 'multicluster.linkerd.io/v1alpha3',
    kind: 'Link',
    namespace: 'linkerd-multicluster',
    name: 'west',
  };
  const objects = [link, { ...link, apiVersion: 'example.com/v1', name: 'other' }];
  expect(linksIn(cluster('east', folder('linkerd-multicluster', { objects })))).toEqual(['west']);
});

test.each([
  [RINGS, {}, 1],
  [RINGS, { strategy: { type: 'RollingSync' } }, 1],
  [RINGS, { fleet: {} }, 1],
  [RINGS, { fleet: {}, strategy: { type: 'RollingSync' } }, 0],
  [[...RINGS, { name: 'last', revision: 'v1' }], {}, 0],
  [[...RINGS, { name: 'last', path: 'promoted' }], {}, 0],
  [[...RINGS, { name: 'last', release: '2.19' }], {}, 0],
  [RINGS.slice(0, 1), {}, 0],
  [[], {}, 0],
] as const)('what holds %j apart, with %j, gives %d warnings', (rings, options, count) => {
  expect(checkApart(rings, options)).toHaveLength(count);
});
