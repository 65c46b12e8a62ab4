import type { Values } from '#base/values';
import { Grafana } from '#lib/constructs/viz/grafana';
import { Prometheus } from '#lib/constructs/viz/prometheus';
import { checkVizValues, type VizFacts, vizValues } from '#lib/constructs/viz/viz-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { facts } from '../../support/findings';

const VIZ: VizFacts = {
  release: releaseOf('edge-26.8.3'),
  linkerdNamespace: 'mesh',
  clusterDomain: 'k8s.example',
  trustDomain: 'trust.example',
  tap: { injectCaFrom: 'linkerd-viz/tap' },
  tapInjector: { injectCaFrom: 'linkerd-viz/tap-injector' },
  prometheus: Prometheus.embedded(),
};

describe('vizValues', () => {
  test('keep the metadata job of a chart that requires it', () => {
    expect(vizValues({ ...VIZ, release: releaseOf('stable-2.14.10') }).createNamespaceMetadataJob).toBeUndefined();
  });

  test('set an internal or an external Grafana', () => {
    expect(vizValues({ ...VIZ, grafana: Grafana.fromService({ url: 'grafana.grafana' }) }).grafana).toEqual({
      url: 'grafana.grafana',
    });
    const external = Grafana.fromUrl({ url: 'https://g.example', uidPrefix: 'home-' });
    expect(vizValues({ ...VIZ, grafana: external }).grafana).toEqual({
      externalUrl: 'https://g.example',
      uidPrefix: 'home-',
    });
  });

  test('set the enforced host', () => {
    expect(vizValues({ ...VIZ, enforcedHostRegexp: '^a$' }).dashboard).toEqual({ enforcedHostRegexp: '^a$' });
  });
});

describe('checkVizValues', () => {
  const external = { prometheus: { enabled: false }, prometheusUrl: 'http://p:9090' };
  const check = (values: Values, version: LinkerdVersion, host?: string) =>
    checkVizValues(values, releaseOf(version), host);
  /** Returns the facts of findings. */
  const problems = (values: Values, version: LinkerdVersion) => check(values, version).map(facts);

  test.each([false, null])('refuses values without a Prometheus (enabled: %s)', (enabled) => {
    expect(check({ prometheus: { enabled }, prometheusUrl: '' }, 'edge-26.8.3')).toMatchObject([
      { code: 'prometheus-missing', parameters: { enabled: String(enabled) } },
    ]);
  });

  test('refuses both an embedded and an external Prometheus', () => {
    expect(check({ prometheusUrl: 'http://p:9090' }, 'edge-26.8.3')).toMatchObject([
      { code: 'viz-value-refused', parameters: { url: 'http://p:9090' } },
    ]);
  });

  test('refuses an invalid Prometheus URL', () => {
    expect(problems({ ...external, prometheusUrl: 'p:9090' }, 'edge-26.8.3')).toMatchObject([
      { finding: 'url-refused', field: 'prometheusUrl', value: 'p:9090' },
    ]);
  });

  test('refuses credentials that 2.14 would not send', () => {
    const values = { ...external, prometheusCredsSecret: 'prom' };
    expect(check(values, 'stable-2.14.10')).toMatchObject([
      { code: 'viz-value-refused', parameters: { secret: '"prom"' } },
    ]);
    expect(check(values, 'edge-26.8.3')).toEqual([]);
  });

  test('refuses both an internal and an external Grafana', () => {
    const grafana = { url: 'a.b', externalUrl: 'https://c.d' };
    expect(check({ grafana }, 'edge-26.8.3')).toMatchObject([{ code: 'grafana-ambiguous', parameters: grafana }]);
  });

  test('refuses a URL as internal Grafana address, an address as URL, and an invalid UID prefix', () => {
    expect(problems({ grafana: { url: 'http://a.b' } }, 'edge-26.8.3')).toMatchObject([
      { finding: 'address-refused/host', field: 'grafana.url', value: 'http://a.b', suggestion: 'a.b' },
    ]);
    expect(check({ grafana: { externalUrl: 'c.d', uidPrefix: 'a b' } }, 'edge-26.8.3')).toMatchObject([
      { code: 'url-refused', parameters: { field: 'grafana.externalUrl', value: 'c.d' } },
      { code: 'viz-value-refused', parameters: { prefix: 'a b', proposed: 'a-b' } },
    ]);
  });

  test('refuses a Jaeger URL with a scheme', () => {
    expect(problems({ jaegerUrl: 'http://tempo:16686' }, 'edge-26.8.3')).toMatchObject([
      { finding: 'address-refused/host', field: 'jaegerUrl', value: 'http://tempo:16686', suggestion: 'tempo:16686' },
    ]);
  });

  test('refuses a host expression that does not compile, or excludes the ingress', () => {
    expect(check({ dashboard: { enforcedHostRegexp: '(?=a)' } }, 'edge-26.8.3')).toMatchObject([
      { code: 'host-regexp-refused' },
    ]);
    expect(check({ dashboard: { enforcedHostRegexp: '^a$' } }, 'edge-26.8.3', 'b')).toMatchObject([
      { code: 'host-regexp-refused', parameters: { host: 'b' } },
    ]);
  });

  test('refuses proxy resources that the chart cannot render', () => {
    const values = { metricsAPI: { proxy: { resources: { cpu: { request: '50m' } } } } };
    expect(check(values, 'edge-26.8.3')).toMatchObject([{ code: 'viz-value-refused' }]);
    expect(check({ metricsAPI: { proxy: {} } }, 'edge-26.8.3')).toEqual([]);
    expect(check(values, 'stable-2.14.10')).toEqual([]);
  });

  test('refuses keys, second CAs and unknown policies', () => {
    expect(problems({ tap: { keyPEM: 'x', caBundle: 'y' }, enablePSP: true }, 'edge-26.8.3')).toMatchObject([
      { finding: 'private-key-found/values', path: 'values.tap.keyPEM' },
      { finding: 'certificate-source-conflict/webhook-ca', path: 'tap.caBundle' },
      { finding: 'chart-value-refused/pod-security-policy' },
    ]);
  });
});
