import { linkerdDefinitions } from '#lib/gitops/tree/declared';
import type { PlacedRelease } from '#lib/gitops/tree/read-tree';

const inflated = (linkerdVersion: string) => {
  const chart = { name: 'linkerd-crds', version: '1.2.3', linkerdVersion };
  const releases = [{ release: { chart, values: {} } }] as unknown as readonly PlacedRelease[];
  return linkerdDefinitions({ releases, rendered: [], objects: [] });
};

test('the CRDs of an inflated chart are those of the release that it names', () => {
  expect(inflated('edge-26.9.1')).toMatchObject({ release: 'edge-26.9.1' });
  expect(inflated('edge-26.9.1')?.definitions.map(({ name }) => name)).toContain('servers.policy.linkerd.io');
});

test('of a release older than all that are known, no CRDs are known rather than none there', () => {
  expect(inflated('stable-2.13.0')).toBeUndefined();
});
