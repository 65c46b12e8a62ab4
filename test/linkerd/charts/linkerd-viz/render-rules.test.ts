import type { Values } from '#base/values';
import { facts } from '#test/support/findings';
import { chartValues, checkVizRender } from './fixture';

const problems = (values: Values) => checkVizRender(chartValues(values)).map(facts);

describe('Prometheus', () => {
  test('there is one, own or external', () => {
    expect(problems({ prometheus: { enabled: false } })).toMatchObject([
      { finding: 'prometheus-missing', enabled: 'false' },
    ]);
    expect(problems({ prometheus: { enabled: false }, prometheusUrl: 'http://p:9090' })).toEqual([]);
  });

  test('a volume has a size and an access mode', () => {
    expect(problems({ prometheus: { persistence: { storageClass: 'fast' } } })).toHaveLength(2);
    expect(problems({ prometheus: { persistence: { accessMode: 'ReadWriteOnce', size: '1Gi' } } })).toEqual([]);
    expect(problems({ prometheus: { persistence: {} } })).toEqual([]);
  });
});

test('a configuration that Helm cannot write is refused', () => {
  const scrapeConfigs = [{ job_name: 'a\x7fb' }];
  expect(problems({ prometheus: { scrapeConfigs } })).toMatchObject([
    { finding: 'chart-value-refused/prometheus-text', error: 'yaml: control characters are not allowed' },
  ]);
  expect(problems({ prometheus: { enabled: false, scrapeConfigs }, prometheusUrl: 'http://p' })).toEqual([]);
});

test('links lead to one Grafana', () => {
  expect(problems({ grafana: { url: 'a', externalUrl: 'b' } })).toHaveLength(1);
  expect(problems({ grafana: { url: 'a' } })).toEqual([]);
});

describe.each(['tap', 'tapInjector'])('the certificate of %s', (key) => {
  test.each<[Values, object]>([
    [{ injectCaFrom: '' }, { finding: 'ca-source-ambiguous/none' }],
    [{ injectCaFromSecret: 'a/b' }, { finding: 'ca-source-ambiguous/several' }],
    [{ caBundle: 'A' }, { finding: 'ca-source-ambiguous/several' }],
    [{ externalSecret: false }, { finding: 'key-made-by-chart/webhook', key }],
    [{ keyPEM: 'x' }, { finding: 'private-key-found/values', path: `values.${key}.keyPEM` }],
  ])('is refused with %j', (values, what) => {
    expect(problems({ [key]: values })).toMatchObject([what]);
  });

  test('has a CA of its own in place of that of cert-manager', () => {
    expect(problems({ [key]: { caBundle: 'A', injectCaFrom: '' } })).toEqual([]);
  });
});

test.each(['metricsAPI', 'tap.image', 'dashboard.service', 'grafana', 'prometheus.args', 'namespaceMetadata.image'])(
  'templates look into %s',
  (path) => {
    const values = path.split('.').reduceRight<Values | null>((inside, key) => ({ [key]: inside }), null);
    expect(problems(values ?? {})).toMatchObject([
      { finding: 'injected-value-missing/map-of-chart', path, value: 'null' },
    ]);
  },
);

test('what templates look into only sometimes may be gone at other times', () => {
  expect(problems({ namespaceMetadata: null, createNamespaceMetadataJob: false })).toEqual([]);
  expect(problems({ prometheus: { enabled: false, image: null }, prometheusUrl: 'http://p' })).toEqual([]);
});

test('the control plane is somewhere', () => {
  expect(problems({ linkerdNamespace: null })).toMatchObject([
    { finding: 'chart-value-missing/control-plane-namespace', value: 'null' },
  ]);
});
