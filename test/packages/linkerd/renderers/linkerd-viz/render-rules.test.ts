import type { Values } from '#base/values';
import { facts } from '#test/support/findings';
import { chartValues, checkVizRender } from './fixture';

const problems = (values: Values) => checkVizRender(chartValues(values)).map(facts);

describe('checkVizRender, for Prometheus,', () => {
  test('requires an embedded or an external Prometheus', () => {
    expect(problems({ prometheus: { enabled: false } })).toMatchObject([
      { finding: 'prometheus-missing', enabled: 'false' },
    ]);
    expect(problems({ prometheus: { enabled: false }, prometheusUrl: 'http://p:9090' })).toEqual([]);
  });

  test('requires a size and an access mode for a volume', () => {
    expect(problems({ prometheus: { persistence: { storageClass: 'fast' } } })).toHaveLength(2);
    expect(problems({ prometheus: { persistence: { accessMode: 'ReadWriteOnce', size: '1Gi' } } })).toEqual([]);
    expect(problems({ prometheus: { persistence: {} } })).toEqual([]);
  });
});

test('checkVizRender refuses a Prometheus configuration that Helm cannot write', () => {
  const scrapeConfigs = [{ job_name: 'a\x7fb' }];
  expect(problems({ prometheus: { scrapeConfigs } })).toMatchObject([
    { finding: 'chart-value-refused/prometheus-text', error: 'yaml: control characters are not allowed' },
  ]);
  expect(problems({ prometheus: { enabled: false, scrapeConfigs }, prometheusUrl: 'http://p' })).toEqual([]);
});

test('checkVizRender refuses two addresses of Grafana', () => {
  expect(problems({ grafana: { url: 'a', externalUrl: 'b' } })).toHaveLength(1);
  expect(problems({ grafana: { url: 'a' } })).toEqual([]);
});

describe.each(['tap', 'tapInjector'])('checkVizRender, for the certificate of %s,', (key) => {
  test.each<[Values, object]>([
    [{ injectCaFrom: '' }, { finding: 'ca-source-ambiguous/none' }],
    [{ injectCaFromSecret: 'a/b' }, { finding: 'ca-source-ambiguous/several' }],
    [{ caBundle: 'A' }, { finding: 'ca-source-ambiguous/several' }],
    [{ externalSecret: false }, { finding: 'key-made-by-chart/webhook', key }],
    [{ keyPEM: 'x' }, { finding: 'private-key-found/values', path: `values.${key}.keyPEM` }],
  ])('refuses %j', (values, what) => expect(problems({ [key]: values })).toMatchObject([what]));

  test('accepts a caBundle instead of the CA of cert-manager', () => {
    expect(problems({ [key]: { caBundle: 'A', injectCaFrom: '' } })).toEqual([]);
  });
});

test.each(['metricsAPI', 'tap.image', 'dashboard.service', 'grafana', 'prometheus.args', 'namespaceMetadata.image'])(
  'checkVizRender requires that the value %s is a map',
  (path) => {
    const values = path.split('.').reduceRight<Values | null>((inside, key) => ({ [key]: inside }), null);
    expect(problems(values ?? {})).toMatchObject([
      { finding: 'injected-value-missing/map-of-chart', path, value: 'null' },
    ]);
  },
);

test('checkVizRender does not require maps of disabled parts', () => {
  expect(problems({ namespaceMetadata: null, createNamespaceMetadataJob: false })).toEqual([]);
  expect(problems({ prometheus: { enabled: false, image: null }, prometheusUrl: 'http://p' })).toEqual([]);
});

test('checkVizRender requires the namespace of the control plane', () => {
  expect(problems({ linkerdNamespace: null })).toMatchObject([
    { finding: 'chart-value-missing/control-plane-namespace', value: 'null' },
  ]);
});
