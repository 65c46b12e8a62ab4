import type { Finding } from '#base/findings/finding';
import { findReleaseChange } from '#lib/gitops/changes/release-change';
import { definition, definitionsOf } from '#lib/linkerd/releases/definitions';
import type { Installed, InstalledReleases } from '#lib/linkerd/releases/installed';

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

test('without an earlier output or a change there is no finding about the release', () => {
  expect(found(undefined, all('edge-26.8.3'))).toEqual([]);
  expect(found(all('edge-26.8.3'), undefined)).toEqual([]);
  expect(found(all('edge-26.8.3'), all('edge-26.8.3'))).toEqual([]);
});

test('within a line, and to the next, it is a warning', () => {
  expect(found(all('edge-26.6.3'), all('edge-26.8.3'))).toEqual(['warning release-changed']);
  expect(found(all('edge-25.10.7'), all('edge-26.8.3'))).toEqual(['warning release-changed']);
  expect(parametersOf(all('edge-26.6.3'), all('edge-26.8.3'), 'release-changed')).toMatchObject({
    moves: expect.stringContaining(
      'linkerd-crds from edge-26.6.3 to edge-26.8.3, linkerd-control-plane from edge-26.6.3',
    ),
  });
});

test('a jump over lines is an error, with the edge releases on the way', () => {
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

test('going back is a warning, and an error where a CRD loses what is stored', () => {
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

test('a version that goes and was not the one that is stored may still be there', () => {
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

test('CRDs that are gone as a whole stay in the cluster, and lose nothing', () => {
  expect(found(all('edge-26.8.3', { installGatewayAPI: true }), all('edge-26.8.3'))).toEqual([]);
});

test('CRDs of the Gateway API that come with Linkerd are a warning where it is known that they did not before', () => {
  const after = all('edge-26.8.3', { installGatewayAPI: true });
  expect(found(all('edge-26.8.3'), after)).toEqual(['warning gateway-api-taken-over']);
  expect(found({ ...all('edge-26.8.3'), isPartial: true }, after)).toEqual([]);
});

test("it holds for others' CRDs as well", () => {
  const [before, after] = [definition('x.acme.io', 'v1', 'v2*'), definition('x.acme.io', 'v1*')];
  expect(found({ releases: {}, definitions: [before] }, { releases: {}, definitions: [after] })).toEqual([
    'error crd-versions-removed',
  ]);
});

test('parts that come and go are no change of release', () => {
  expect(found(only({ crds: 'edge-26.8.3' }), only({ crds: 'edge-26.8.3', viz: 'edge-26.8.3' }))).toEqual([]);
  expect(found(only({ crds: 'edge-26.8.3', viz: 'edge-26.8.3' }), only({ crds: 'edge-26.8.3' }))).toEqual([]);
});

test('a release whose name says nothing is no jump', () => {
  expect(found(only({ controlPlane: 'stable-2.14.10' }), only({ controlPlane: 'mine' }))).toEqual([
    'warning release-changed',
  ]);
});

test('a move to a name that is none of a release goes in no direction', () => {
  const [from, to] = [only({ controlPlane: 'edge-26.8.3' }), only({ controlPlane: 'edge-26.8.3-fips' })];
  expect(found(from, to)).toEqual(['warning release-changed']);
  expect(found(to, from)).toEqual(['warning release-changed']);
});
