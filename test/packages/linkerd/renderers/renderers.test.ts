import { mergeValues, type Values } from '#base/values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { RenderedChartName } from '#linkerd/renderers/chart-names';
import { nativeChartOf } from '#linkerd/renderers/native-charts';
import { objectKey } from '#tools/conformance/canonical';
import * as controlPlane from './linkerd-control-plane/fixture';
import * as jaeger from './linkerd-jaeger/fixture';
import * as multicluster from './linkerd-multicluster/fixture';
import * as viz from './linkerd-viz/fixture';
import * as cni from './linkerd2-cni/fixture';

// The conformance tests render each chart only in its default namespace, and no values twice.

const IN_MESH: Values = {
  linkerdNamespace: 'mesh',
  tap: { injectCaFrom: 'other/ca' },
  tapInjector: { injectCaFrom: 'other/ca' },
};

describe.each<[RenderedChartName, LinkerdVersion, Values, readonly (string | undefined)[]]>([
  [
    'linkerd-control-plane',
    'edge-26.8.3',
    controlPlane.chartValues({ podMonitor: { enabled: true }, identityProxyResources: { cpu: { limit: '1' } } }),
    ['other', undefined],
  ],
  ['linkerd-viz', 'edge-26.8.3', viz.chartValues(IN_MESH), ['kube-system', 'mesh', 'other', undefined]],
  ['linkerd2-cni', 'edge-26.8.3', cni.chartValues({ repairController: { enabled: true } }), ['other', undefined]],
  ['linkerd-jaeger', 'stable-2.14.10', jaeger.chartValues(IN_MESH), ['mesh', 'other', undefined]],
  [
    'linkerd-multicluster',
    'edge-26.8.3',
    multicluster.chartValues({ linkerdNamespace: 'mesh', ...multicluster.linksTo('west') }),
    ['mesh', 'other', undefined],
  ],
])('the renderer of %s of %s, in a namespace other than the default,', (name, release, values, namespaces) => {
  const { native, namespace } = nativeChartOf(name, release);
  const before = JSON.stringify(values);
  const objects = native.render(values, { namespace: 'other' });

  test('renders each object once, and only into the namespaces that values name', () => {
    expect(new Set(objects.map(objectKey)).size).toBe(objects.length);
    expect([...new Set(objects.map(({ metadata }) => metadata.namespace))].sort()).toEqual(namespaces);
  });

  test('does not change values, and renders equal values to equal objects', () => {
    expect(JSON.stringify(native.render(values, { namespace: 'other' }))).toBe(JSON.stringify(objects));
    expect(JSON.stringify(values)).toBe(before);
  });

  test('refers to no object in the default namespace of the chart', () => {
    const places = [`.${namespace}.svc`, `"namespace":"${namespace}"`];
    const text = JSON.stringify(objects);
    expect(places.filter((place) => text.includes(place))).toEqual([]);
  });
});

test('linkerd-control-plane uses its namespace in addresses, identities, scrape rules and cluster-wide names', () => {
  const values = controlPlane.chartValues({ podMonitor: { enabled: true } });
  const objects = controlPlane.renderControlPlane(values, { namespace: 'mesh-system' });
  const text = JSON.stringify(objects);
  expect(text).toContain('linkerd-dst-headless.mesh-system.svc.cluster.local.:8086');
  expect(text).toContain('serviceaccount.identity.mesh-system.cluster.local');
  expect(text).toContain('^linkerd-proxy;linkerd-admin;mesh-system$');
  expect(objects.map(({ metadata }) => metadata.name)).toEqual(
    expect.arrayContaining(['linkerd-mesh-system-identity', 'linkerd-mesh-system-destination']),
  );
});

test('linkerd-viz uses its namespace in hosts and targets', () => {
  const values = mergeValues(viz.chartValues(IN_MESH), { clusterDomain: 'k8s.corp' });
  const text = JSON.stringify(viz.renderViz(values, { namespace: 'metrics' }));
  expect(text).not.toContain('linkerd-viz');
  expect(text).toContain(
    JSON.stringify(
      String.raw`-enforced-host=^(localhost|127\.0\.0\.1|web\.metrics\.svc\.k8s\.corp|web\.metrics\.svc|\[::1\])(:\d+)?$`,
    ).slice(1, -1),
  );
});
