import type { PlacedRelease } from '#lib/checks/cluster/checked-cluster';
import { linkerdDefinitions } from '#lib/checks/cluster/declared';

const inflated = (linkerdVersion: string) => {
  const chart = { name: 'linkerd-crds', version: '1.2.3', linkerdVersion };
  const releases = [{ release: { chart, values: {} } }] as unknown as readonly PlacedRelease[];
  return linkerdDefinitions({ releases, rendered: [], objects: [] });
};

test('synth reads the CRDs of an inflated chart from the release of the chart', () => {
  expect(inflated('edge-26.9.1')).toMatchObject({ release: 'edge-26.9.1' });
  expect(inflated('edge-26.9.1')?.definitions.map(({ name }) => name)).toContain('servers.policy.linkerd.io');
});

test('synth has no CRDs of a release that is older than all known releases', () => {
  expect(inflated('stable-2.13.0')).toBeUndefined();
});
