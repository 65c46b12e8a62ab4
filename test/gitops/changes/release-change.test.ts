import type { Finding } from '#base/findings/finding';
import { findReleaseChange } from '#lib/gitops/changes/release-change';
import { definitionsOf } from '#linkerd/releases/definitions';
import type { Installed, InstalledReleases } from '#linkerd/releases/installed';

function all(release: string, values = {}): Installed {
  const releases = { crds: release, controlPlane: release, viz: release };
  return { releases, definitions: definitionsOf(release, values) };
}

function only(releases: InstalledReleases): Installed {
  return { releases, definitions: [] };
}

function found(before: Installed | undefined, after: Installed | undefined): readonly string[] {
  return findReleaseChange('home', before, after).map(
    ({ severity, problem }: Finding) => `${severity} ${problem.code}`,
  );
}

function parametersOf(before: Installed, after: Installed, code: string) {
  const [finding] = findReleaseChange('home', before, after).filter(({ problem }) => problem.code === code);
  return finding?.problem.parameters;
}

test('synth reports no release change without an earlier output or a change', () => {
  expect(found(undefined, all('edge-26.8.3'))).toEqual([]);
  expect(found(all('edge-26.8.3'), undefined)).toEqual([]);
  expect(found(all('edge-26.8.3'), all('edge-26.8.3'))).toEqual([]);
});

test('synth warns of a release change within a line and to the next line', () => {
  expect(found(all('edge-26.6.3'), all('edge-26.8.3'))).toEqual(['warning release-changed']);
  expect(found(all('edge-25.10.7'), all('edge-26.8.3'))).toEqual(['warning release-changed']);
  expect(parametersOf(all('edge-26.6.3'), all('edge-26.8.3'), 'release-changed')).toMatchObject({
    moves: expect.stringContaining(
      'linkerd-crds from edge-26.6.3 to edge-26.8.3, linkerd-control-plane from edge-26.6.3',
    ),
  });
});

test('synth refuses a jump over lines, and lists the edge releases on the way', () => {
  const [before, after] = [all('stable-2.14.10'), all('edge-25.10.7')];
  expect(found(before, after)).toContain('error release-lines-skipped');
  const parameters = parametersOf(before, after, 'release-lines-skipped');
  expect(parameters).toMatchObject({
    from: 'stable-2.14.10 (Linkerd 2.14)',
    to: 'edge-25.10.7 (Linkerd 2.19)',
    skipped: expect.stringContaining('2.15, 2.16, 2.17'),
    steps: expect.stringContaining('2.15 (edge-24.2.4), 2.16 (edge-24.8.2), 2.17 (edge-24.11.8), 2.18 (edge-25.4.4)'),
  });
  expect(found(only({ viz: 'stable-2.14.10' }), only({ viz: 'edge-26.8.3' }))).toEqual(['warning release-changed']);
});

test('synth warns of a downgrade, and refuses it if a CRD loses a stored version', () => {
  expect(found(all('edge-26.8.3'), all('edge-26.8.2'))).toEqual(['warning release-lowered']);
  expect(found(all('edge-26.8.3'), all('stable-2.14.10', { enableHttpRoutes: false }))).toEqual([
    'error release-lines-skipped',
    'error crd-versions-removed',
    'warning release-lowered',
  ]);
  expect(parametersOf(all('edge-26.8.3'), all('stable-2.14.10'), 'crd-versions-removed')).toMatchObject({
    name: 'servers.policy.linkerd.io',
    versions: 'v1beta3',
  });
});

test('synth warns of a removed CRD version that may still be stored', () => {
  const values = { installGatewayAPI: true };
  expect(found(all('stable-2.14.10'), all('edge-25.10.7', values))).toEqual([
    'error release-lines-skipped',
    'warning release-changed',
    'warning crd-versions-at-risk',
    'warning gateway-api-taken-over',
  ]);
  expect(parametersOf(all('stable-2.14.10'), all('edge-25.10.7', values), 'crd-versions-at-risk')).toMatchObject({
    name: 'httproutes.gateway.networking.k8s.io',
    versions: expect.stringContaining('v1alpha2'),
  });
});
