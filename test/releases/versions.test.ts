import type { DeliveryOf } from '../../lib/control-plane/delivery-of';
import { chartDefaults, defaultsOf } from '../../lib/releases/chart-defaults';
import type { PinnedChart } from '../../lib/releases/pinned-chart';
import {
  chartsOf,
  DEFAULT_LINKERD_VERSION,
  featuresOf,
  LINKERD_VERSIONS,
  type LinkerdVersion,
} from '../../lib/releases/versions';
import { schemaAddress } from '../../lib/schema/schema-store';

const charts = LINKERD_VERSIONS.flatMap((version) =>
  Object.values(chartsOf(version)).map((chart: PinnedChart) => [`${chart.name} ${chart.version}`, chart] as const),
);

test.each(charts)('%s is pinned to one exact version', (_, chart) => {
  expect(chart.version).toMatch(/^\d+\.\d+\.\d+$/);
});

test.each(charts)('the values of %s have a schema', (_, chart) => {
  expect(schemaAddress(`charts/${chart.name}/${chart.valuesOf}`)).toBeDefined();
});

test.each(charts)('the kinds of %s are listed once, by group', (_, chart) => {
  expect(chart.kinds).toEqual([...new Set(chart.kinds)]);
  for (const kind of chart.kinds) expect(kind).toMatch(/^[a-z0-9.]*\/[A-Z][A-Za-z]+$/);
});

test('edge releases come from the edge repository, all charts of one version', () => {
  const { crds, cni, controlPlane, viz } = chartsOf('edge-26.8.3');
  expect([crds, cni, controlPlane, viz].map(({ name, version }) => `${name} ${version}`)).toEqual([
    'linkerd-crds 2026.8.3',
    'linkerd2-cni 2026.8.3',
    'linkerd-control-plane 2026.8.3',
    'linkerd-viz 2026.8.3',
  ]);
  expect(controlPlane.repository).toBe('https://helm.linkerd.io/edge');
});

test('stable-2.14.10 is made of the charts of its version matrix', () => {
  const { crds, cni, controlPlane, viz, jaeger } = chartsOf('stable-2.14.10');
  expect([crds, cni, controlPlane, viz, jaeger].map((chart) => `${chart?.name} ${chart?.version}`)).toEqual([
    'linkerd-crds 1.8.0',
    'linkerd2-cni 30.12.2',
    'linkerd-control-plane 1.16.11',
    'linkerd-viz 30.12.11',
    'linkerd-jaeger 30.12.11',
  ]);
  expect(controlPlane.repository).toBe('https://helm.linkerd.io/stable');
});

test('charts make no Secrets: certificates come from cert-manager', () => {
  expect(charts.filter(([, { kinds }]) => kinds.includes('/Secret'))).toEqual([]);
});

test('only Viz writes to a namespace of others', () => {
  const foreign = charts.filter(([, chart]) => chart.foreignNamespaces.length > 0);
  expect(foreign.map(([, chart]) => [chart.name, chart.foreignNamespaces])).toEqual([
    ['linkerd-viz', ['kube-system']],
    ['linkerd-viz', ['kube-system']],
  ]);
});

test('a release has the Jaeger chart if, and only if, its traces need the extension', () => {
  for (const version of LINKERD_VERSIONS) {
    expect(chartsOf(version).jaeger !== undefined).toBe(featuresOf(version).tracing === 'jaeger-extension');
  }
});

test('a release has an annotation for native sidecars if they are its default', () => {
  for (const version of LINKERD_VERSIONS) {
    const { nativeSidecars, nativeSidecarAnnotation } = featuresOf(version);
    if (nativeSidecars) expect(nativeSidecarAnnotation).toBeDefined();
  }
});

test('the default release is the newest', () => {
  expect(DEFAULT_LINKERD_VERSION).toBe('edge-26.8.3');
  expect(LINKERD_VERSIONS).toContain(DEFAULT_LINKERD_VERSION);
});

test.each(LINKERD_VERSIONS)('the default values of %s are of that release', (version) => {
  expect(defaultsOf(version).controlPlane.linkerdVersion).toBe(version);
});

test('the native sidecar default of a release is that of its values', () => {
  for (const version of LINKERD_VERSIONS) {
    const { proxy } = defaultsOf(version).controlPlane as { proxy: { nativeSidecar?: boolean } };
    expect(proxy.nativeSidecar ?? false).toBe(featuresOf(version).nativeSidecars);
  }
});

test('a chart has the release of its own, where releases share all other values', () => {
  const chart = chartsOf('edge-26.8.3').controlPlane;
  const older = chartDefaults({ ...chart, linkerdVersion: 'edge-26.6.3' });
  expect(older).toEqual({ ...chartDefaults(chart), linkerdVersion: 'edge-26.6.3' });
  expect(Object.keys(older)).toEqual(Object.keys(chartDefaults(chart)));
  const cni = chartsOf('edge-26.8.3').cni;
  expect(chartDefaults({ ...cni, linkerdVersion: 'edge-26.6.3' })).toEqual(chartDefaults(cni));
});

test.each(charts)('the values of %s are there', (_, chart) => {
  expect(Object.keys(chartDefaults(chart))).not.toEqual([]);
});

test('charts are delivered as manifests where the compiler lets them be', () => {
  const rendered: { readonly [V in LinkerdVersion]: 'manifests' extends DeliveryOf<V> ? true : false } = {
    'edge-26.8.3': true,
    'stable-2.14.10': false,
  };
  for (const version of LINKERD_VERSIONS) expect(featuresOf(version).rendered).toBe(rendered[version]);
});
