import { ChartError } from '#helm/chart/chart-error';
import { NATIVE_SIDECAR, NATIVE_SIDECAR_ALPHA } from '#linkerd/annotations';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { readRelease } from '#linkerd/releases/read-release';
import { Release, releaseOf } from '#linkerd/releases/release';
import { releaseInjector } from '#linkerd/releases/release-injector';
import { controlPlaneChart } from '#linkerd/renderers/linkerd-control-plane/chart';
import { multiclusterChart } from '#linkerd/renderers/linkerd-multicluster/chart';
import { linkerdCharts } from '#test/support/linkerd-charts';

const MULTICLUSTER = { multicluster: { 'templates/none.yaml': '' } };

test('Release.fromCharts has the versions, values and high-availability profile of the charts', () => {
  const values = { controlPlane: { newInThisRelease: { size: 1 } } };
  const release = Release.fromCharts(linkerdCharts({ values }), 'edge-26.9.1');
  expect(release).toMatchObject({ version: 'edge-26.9.1', injectorLike: 'edge-26.8.3', line: '2.20' });
  expect(release.charts.controlPlane).toMatchObject({ version: '2026.9.1', linkerdVersion: 'edge-26.9.1' });
  expect(defaultsOf(release).controlPlane).toMatchObject({
    linkerdVersion: 'edge-26.9.1',
    newInThisRelease: { size: 1 },
  });
  expect(defaultsOf(release).highAvailability).toEqual(defaultsOf(releaseOf('edge-26.8.3')).highAvailability);
  expect(releaseOf(release)).toBe(release);
});

test.each([
  ['edge-26.9.1', 'edge-26.8.3', true],
  ['edge-26.8.3', 'edge-26.8.3', false],
  ['edge-26.4.5', 'edge-26.4.4', true],
  ['edge-24.8.2', 'edge-25.10.7', true],
] as const)(
  'Release.fromCharts of %s assumes the injector of %s unless injectorLike is set',
  (version, like, isAssumed) => {
    const release = Release.fromCharts(linkerdCharts({ version }), version);
    expect([release.injectorLike, release.isInjectorAssumed]).toEqual([like, isAssumed]);
    const named = Release.fromCharts(linkerdCharts({ version }), version, { injectorLike: '2.20' });
    expect([named.injectorLike, named.isInjectorAssumed]).toEqual(['2.20', false]);
  },
);

test('Release.fromCharts accepts a stable release with named chart versions', () => {
  const charts = linkerdCharts({ version: 'stable-2.14.9', chartVersion: '1.16.9', valuesOf: 'stable-2.14.10' });
  const chartVersions = { 'linkerd-crds': '1.16.9', 'linkerd-control-plane': '1.16.9' };
  expect(Release.fromCharts(charts, 'stable-2.14.9', { chartVersions })).toMatchObject({
    line: '2.14',
    injectorLike: 'stable-2.14.10',
    charts: { controlPlane: { version: '1.16.9' } },
  });
});

test('Release.fromCharts opens only charts with a named version, if the release does not determine versions', () => {
  const charts = linkerdCharts({ version: 'stable-2.14.9', chartVersion: '1.16.9', valuesOf: 'stable-2.14.10' });
  const chartVersions = { 'linkerd-crds': '1.16.9', 'linkerd-control-plane': '1.16.9', 'linkerd-viz': '1.16.9' };
  const { archives } = Release.fromCharts(charts, 'stable-2.14.9', { chartVersions });
  expect(archives?.need('viz').chart.metadata.version).toBe('1.16.9');
  for (const part of ['cni', 'jaeger'] as const) {
    expect(() => archives?.need(part)).toThrow('its version for stable-2.14.9 is unknown');
  }
});

test('Release.fromCharts needs a named version of linkerd-multicluster before edge-24.3.1', () => {
  const charts = linkerdCharts({ version: 'edge-24.2.5', chartVersion: '1.2.3' });
  const chartVersions = { 'linkerd-crds': '1.2.3', 'linkerd-control-plane': '1.2.3' };
  const chart = multiclusterChart(Release.fromCharts(charts, 'edge-24.2.5', { chartVersions }));
  expect(chart?.native.check(chart.defaults)).toMatchObject([
    { code: 'chart-not-rendered', fix: expect.stringContaining("'linkerd-multicluster'") },
  ]);
});

test('a chart of another release throws when it is used', () => {
  const values = { viz: { linkerdVersion: 'edge-26.9.2' } };
  const { archives } = Release.fromCharts(linkerdCharts({ values }), 'edge-26.9.1');
  expect(() => archives?.need('viz')).toThrow('it is "edge-26.9.2", but the release is edge-26.9.1');
  expect(archives?.need('cni').chart.metadata.name).toBe('linkerd2-cni');
});

test('Release.fromCharts refuses a control plane without linkerdVersion', () => {
  const files = { controlPlane: { 'values.yaml': 'proxy: {}' } };
  expect(() => Release.fromCharts(linkerdCharts({ files }), 'edge-26.9.1')).toThrow('but the release is edge-26.9.1');
});

test('Release.fromCharts has the published chart versions of edge-24.2.4', () => {
  const { charts } = Release.fromCharts(linkerdCharts({ version: 'edge-24.2.4' }), 'edge-24.2.4');
  expect(charts).toMatchObject({
    crds: { version: '1.9.4-edge' },
    cni: { version: '30.13.3-edge' },
    controlPlane: { version: '1.18.10-edge' },
    viz: { version: '30.14.10-edge' },
  });
});

describe('Release.fromCharts reads from the charts', () => {
  const groupsOf = (options: Parameters<typeof linkerdCharts>[0]) =>
    Release.fromCharts(linkerdCharts(options), options?.version ?? 'edge-26.9.1').groups;

  test('which CRDs they have, and at which versions', () => {
    expect(groupsOf({}).crds.templates).toEqual({
      gatewayApi: { installedBy: 'installGatewayAPI', installed: false, routeVersion: 'gateway.networking.k8s.io/v1' },
      serverVersion: 'policy.linkerd.io/v1beta3',
      kubernetes: '1.31',
      definitions: expect.arrayContaining(['servers.policy.linkerd.io', 'httproutes.gateway.networking.k8s.io']),
    });
    const former = groupsOf({ valuesOf: 'stable-2.14.10', version: 'edge-24.2.4' }).crds.templates;
    expect(former.gatewayApi.installedBy).toBe('enableHttpRoutes');
  });

  test('the names of admin ports', () => {
    const templates = { controlPlane: { 'templates/ports.yaml': '{{/* name: admin-http */}}' } };
    expect(groupsOf({}).controlPlane.templates.adminPorts).toEqual({ keep: '.*admin$', drop: 'linkerd-admin' });
    expect(groupsOf({ files: templates }).controlPlane.templates.adminPorts).toEqual({ keep: 'admin-http' });
  });

  test('whether native sidecars refuse waitBeforeExitSeconds', () => {
    const refusing =
      '{{ if and .Values.proxy.nativeSidecar .Values.proxy.waitBeforeExitSeconds }}{{ fail "no" }}{{ end }}';
    const files = { controlPlane: { 'templates/_proxy.tpl': refusing } };
    expect(groupsOf({}).controlPlane.templates.nativeSidecarRefusesWait).toBe(false);
    expect(groupsOf({ files }).controlPlane.templates.nativeSidecarRefusesWait).toBe(true);
  });

  test('whether closeWaitTimeoutSecs needs root', () => {
    const refusing = '{{ if not .Values.proxyInit.runAsRoot }}{{ fail "no" }}{{ end }}';
    const files = { controlPlane: { 'templates/_init.tpl': refusing } };
    const isNeededBy = (options: Parameters<typeof linkerdCharts>[0]) =>
      releaseInjector(Release.fromCharts(linkerdCharts(options), 'edge-26.9.1')).closeWaitNeedsRoot;
    expect(groupsOf({ files }).controlPlane.templates.closeWaitNeedsRoot).toBe(true);
    expect([isNeededBy({}), isNeededBy({ files })]).toEqual([false, true]);
  });

  test('whether linkerd-multicluster has a separate Server for the admin port of proxies', () => {
    const policy = (server: string) =>
      `kind: AuthorizationPolicy\nspec:\n  targetRef:\n    kind: Server\n    name: ${server}\n`;
    const serversOf = (text: string) =>
      groupsOf({ files: { multicluster: { 'templates/policy.yaml': text } } }).multicluster?.templates.adminServers;
    expect(serversOf(policy('linkerd-admin'))).toBe('separate');
    expect(serversOf(policy('service-mirror'))).toBe('shared');
    expect(serversOf(policy('linkerd-admin-of-another'))).toBe('shared');
    // The closest known release has separate Servers, and must not decide.
    expect(serversOf('port: linkerd-admin\n')).toBe('shared');
  });

  test('which annotations an injector does not read', () => {
    expect(groupsOf({}).injector.nativeSidecarAnnotation).toBe(NATIVE_SIDECAR);
    expect(groupsOf({ version: 'edge-25.4.4' }).injector.nativeSidecarAnnotation).toBe(NATIVE_SIDECAR_ALPHA);
    const former = groupsOf({ version: 'edge-24.2.4', valuesOf: 'stable-2.14.10' }).injector;
    expect(former.nativeSidecarAnnotation).toBeUndefined();
    expect(former.workloadSettings).not.toContain('proxy.gid');
  });

  test('which maps an injector requires', () => {
    const release = (valuesOf: LinkerdVersion) =>
      Release.fromCharts(linkerdCharts({ version: 'edge-24.2.4', valuesOf }), 'edge-24.2.4');
    expect(releaseInjector(release('edge-26.8.3')).neededMaps).toContain('proxy.metrics');
    expect(releaseInjector(release('stable-2.14.10')).neededMaps).not.toContain('proxy.metrics');
    expect(releaseInjector(release('stable-2.14.10')).types).not.toHaveProperty('egress');
  });
});

test.each([
  ['latest', {}, 'Release.fromCharts was given the release "latest"'],
  ['edge-26.9.1\n', {}, 'Release.fromCharts was given the release "edge-26.9.1\\n"'],
  [null, {}, 'Release.fromCharts was given the release null'],
  ['stable-2.14.9', {}, 'no version of linkerd-crds and linkerd-control-plane'],
  ['edge-24.2.5', {}, 'no version of linkerd-crds and linkerd-control-plane'],
  ['edge-26.9.1', { injectorlike: 'edge-26.8.3' } as never, 'the option injectorlike (did you mean "injectorLike"?)'],
  ['edge-26.9.1', { charts: 'charts' } as never, 'the option charts'],
  ['edge-26.9.1', { chartVersions: { linkerd: '1' } }, 'chartVersions names the chart linkerd'],
  ['edge-26.9.1', { proxyVersion: 1 as never }, 'proxyVersion is 1'],
  ['edge-26.9.1', { proxyVersion: 'a:b' }, 'proxyVersion is "a:b"'],
  ['edge-26.9.1', { injectorLike: 'edge-26.9.1' as LinkerdVersion }, 'The version of Linkerd is "edge-26.9.1"'],
])('Release.fromCharts refuses %j with the options %j', (version, options, what) => {
  const make = () => Release.fromCharts(linkerdCharts(), version as string, options);
  expect(make).toThrow(RangeError);
  expect(make).toThrow(what);
});

test.each([
  ['no control plane', { without: ['controlPlane'] as const }, 'charts pull linkerd-control-plane 2026.9.1'],
  ['no CRDs', { without: ['crds'] as const }, 'charts pull linkerd-crds 2026.9.1'],
  [
    'a control plane of another release',
    { version: 'edge-26.9.2', chartVersion: '2026.9.1' },
    'it is "edge-26.9.2", but the release is edge-26.9.1',
  ],
])('Release.fromCharts refuses a folder with %s', (_, options, what) => {
  const make = () => Release.fromCharts(linkerdCharts(options), 'edge-26.9.1');
  expect(make).toThrow(ChartError);
  try {
    make();
  } catch (error) {
    expect(JSON.stringify((error as ChartError).problem)).toContain(what.replaceAll('"', '\\"'));
  }
});

test('Release.fromCharts refuses a values-ha.yaml that is not a map', () => {
  const files = { controlPlane: { 'values-ha.yaml': '- a' } };
  expect(() => Release.fromCharts(linkerdCharts({ files }), 'edge-26.9.1')).toThrow(ChartError);
});

test('Release.fromCharts treats null options as absent', () => {
  const chartVersions = null as never;
  expect(Release.fromCharts(linkerdCharts(), 'edge-26.9.1', { chartVersions }).version).toBe('edge-26.9.1');
  expect(Release.fromCharts(linkerdCharts(), 'edge-26.9.1', null as never).version).toBe('edge-26.9.1');
});

test('a release has linkerd-multicluster unless its chart lacks service mirrors', () => {
  const { charts, groups } = readRelease(linkerdCharts({ files: MULTICLUSTER }), 'edge-26.9.1', {});
  expect(charts.multicluster?.version).toBe('2026.9.1');
  expect(groups.multicluster).toBeDefined();
  const values = { multicluster: { controllers: null } };
  const without = readRelease(linkerdCharts({ files: MULTICLUSTER, values }), 'edge-26.9.1', {});
  expect([without.charts.multicluster, without.groups.multicluster]).toEqual([undefined, undefined]);
});

test('the check of linkerd-multicluster, missing from a folder, names the command that pulls it', () => {
  const chart = multiclusterChart(Release.fromCharts(linkerdCharts(), 'edge-26.9.1'));
  expect(chart?.native.check(chart.defaults)).toMatchObject([
    { code: 'chart-not-rendered', fix: expect.stringContaining('charts pull linkerd-multicluster 2026.9.1') },
  ]);
});

test('clusters share the renderer of a release', () => {
  const release = Release.fromCharts(linkerdCharts(), 'edge-26.9.1');
  expect(controlPlaneChart(release).native).toBe(controlPlaneChart(release).native);
});
