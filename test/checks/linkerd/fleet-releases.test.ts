import { type ClusterRelease, checkFleetReleases } from '#lib/checks/linkerd/fleet-releases';

describe('releases of rings', () => {
  const ORDER = ['canary', 'early', 'rest'];
  const at = (name: string, ring: string, release?: string, ...links: readonly string[]): ClusterRelease => ({
    name,
    ring,
    release,
    links,
  });
  const warned = (clusters: readonly ClusterRelease[]) =>
    checkFleetReleases(clusters, ORDER).map(({ path, problem: { code, parameters } }) => ({
      path,
      code,
      parameters,
    }));

  test('that follow the order of rings have no finding', () => {
    expect(
      warned([at('a', 'canary', 'edge-26.8.3'), at('b', 'early', 'edge-26.8.3'), at('c', 'rest', 'edge-26.6.3')]),
    ).toEqual([]);
    expect(warned([at('a', 'canary'), at('c', 'rest', 'edge-26.6.3')])).toEqual([]);
  });

  test('that are newer than in an earlier ring are reported once for each ring', () => {
    const earlier = { earlier: 'canary', earlierRelease: 'edge-26.6.3', earlierCluster: 'a' };
    const parameters = { ...earlier, laterRelease: 'edge-26.8.3' };
    expect(
      warned([
        at('a', 'canary', 'edge-26.6.3'),
        at('b', 'early', 'edge-26.8.3'),
        at('z', 'rest', 'edge-26.6.3'),
        at('c', 'rest', 'edge-26.8.3'),
        at('d', 'rest', 'edge-26.8.3'),
      ]),
    ).toEqual([
      { path: 'platform', code: 'ring-out-of-order', parameters: { ...parameters, later: 'early', laterCluster: 'b' } },
      { path: 'platform', code: 'ring-out-of-order', parameters: { ...parameters, later: 'rest', laterCluster: 'c' } },
    ]);
  });

  test('of linked clusters may be at most one line apart', () => {
    const west = (release: string) => at('west', 'rest', release);
    const east = at('east', 'canary', 'edge-26.8.3', 'west', 'elsewhere');
    expect(warned([east, west('edge-25.10.7')])).toEqual([]);
    expect(warned([east, west('edge-25.4.4')])).toEqual([
      {
        path: 'east',
        code: 'link-version-skew',
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
});
