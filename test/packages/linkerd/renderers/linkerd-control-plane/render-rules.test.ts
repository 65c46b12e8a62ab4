import { mergeValues, type Values } from '#base/values';
import { facts } from '#test/support/findings';
import { chartValues, checkControlPlaneRender } from './fixture';

const problems = (values: Values) => checkControlPlaneRender(chartValues(values)).map(facts);

describe('checkControlPlaneRender, for proxies,', () => {
  test.each(['everything', null])('refuses the value %j of logHTTPHeaders', (logHTTPHeaders) => {
    expect(problems({ proxy: { logHTTPHeaders } })).toMatchObject([
      { finding: 'injected-value-refused/header-logs', field: 'values.proxy.logHTTPHeaders' },
    ]);
  });

  test.each(['', 'off', 'insecure'])('accepts the value %j of logHTTPHeaders', (logHTTPHeaders) => {
    expect(problems({ proxy: { logHTTPHeaders } })).toEqual([]);
  });

  test('requires the endpoint of a collector for tracing, and also its identity for traces of proxies', () => {
    expect(problems({ proxy: { tracing: { enabled: true } } })).toHaveLength(2);
    expect(problems({ controller: { tracing: { enabled: true } } })).toHaveLength(1);
  });
});

describe('checkControlPlaneRender, for values that templates print without a check,', () => {
  test.each<Values>([
    { clusterDomain: null },
    { proxy: { logLevel: null } },
    { proxy: { enableExternalProfiles: null } },
    { proxy: { ports: { admin: null } } },
    { identityTrustAnchorsPEM: null },
    { linkerdVersion: null },
    { linkerdVersion: '', controllerImageVersion: 'edge-26.8.3' },
    { linkerdVersion: '', proxy: { image: { version: 'edge-26.8.3' } } },
  ])('reports %j', (values) => expect(problems(values)).toHaveLength(1));

  test('requires linkerdVersion only for images without a version', () => {
    const version = 'edge-26.8.3';
    const own = { controllerImageVersion: version, proxy: { image: { version } } };
    expect(problems({ linkerdVersion: null, ...own })).toEqual([]);
  });
});

test.each<[string, Values]>([
  ['networkValidator', { cniEnabled: true }],
  ['controller', { enablePodDisruptionBudget: true }],
  ['controller.podDisruptionBudget', { enablePodDisruptionBudget: true }],
  ['podMonitor.proxy', { podMonitor: { enabled: true } }],
  ['podMonitor.serviceMirror', { podMonitor: { enabled: true } }],
  ['proxy.metrics', {}],
  ['proxy.resources', {}],
  ['proxy.startupProbe', {}],
  ['proxyInit', {}],
  ['proxyInit.xtMountPath', {}],
])('checkControlPlaneRender requires that the value %s is a map, with the values %j', (path, more) => {
  const removed = path.split('.').reduceRight<Values | null>((inside, key) => ({ [key]: inside }), null) ?? {};
  expect(problems(mergeValues(more, removed))).toMatchObject([
    { finding: 'injected-value-missing/map-of-chart', path, value: 'null' },
  ]);
});

test('checkControlPlaneRender does not require maps that templates read only with other values', () => {
  expect(problems({ networkValidator: null, controller: { podDisruptionBudget: null } })).toEqual([]);
  expect(problems({ proxy: { startupProbe: null, nativeSidecar: false } })).toEqual([]);
});

test('checkControlPlaneRender accepts null only for labels and annotations that the chart has', () => {
  expect(problems({ podAnnotations: { a: null }, identity: { podAnnotations: { b: null, c: 'd' } } })).toMatchObject([
    { finding: 'chart-value-refused/null', path: 'values.podAnnotations["a"]' },
    { finding: 'chart-value-refused/null', path: 'values.identity.podAnnotations["b"]' },
  ]);
  expect(problems({ proxy: { tracing: { labels: { 'k8s.pod.ip': null } } } })).toEqual([]);
});

test('checkControlPlaneRender refuses environment variables of the destination controller together with its tracing', () => {
  const traced = { controller: { tracing: { enabled: true, collector: { endpoint: 'otel.tracing:4317' } } } };
  const env = [{ name: 'A', value: 'b' }];
  expect(problems(traced)).toEqual([]);
  expect(problems({ destinationController: { additionalEnv: env } })).toEqual([]);
  for (const key of ['additionalEnv', 'experimentalEnv']) {
    expect(problems({ ...traced, destinationController: { [key]: env } })).toMatchObject([
      { finding: 'chart-value-refused/environment-with-tracing' },
    ]);
  }
});

describe('checkControlPlaneRender, for the init container,', () => {
  test.each(['nft', 'legacy'])('accepts the iptablesMode %s and refuses an unknown one', (iptablesMode) => {
    expect(problems({ proxyInit: { iptablesMode: 'ebpf' } })).toMatchObject([
      { finding: 'injected-value-refused/iptables-mode', field: 'values.proxyInit.iptablesMode' },
    ]);
    expect(problems({ proxyInit: { iptablesMode } })).toEqual([]);
  });

  test('requires root for closeWaitTimeoutSecs', () => {
    expect(problems({ proxyInit: { closeWaitTimeoutSecs: 3 } })).toHaveLength(1);
    expect(problems({ proxyInit: { closeWaitTimeoutSecs: 3, runAsRoot: true } })).toEqual([]);
  });

  test('ignores the values of the init container if the CNI plugin replaces it', () => {
    expect(problems({ cniEnabled: true, proxyInit: { closeWaitTimeoutSecs: 3, iptablesMode: 'ebpf' } })).toEqual([]);
  });
});

describe.each(['proxyInjector', 'profileValidator', 'policyValidator'])(
  'checkControlPlaneRender, for the webhook of %s,',
  (key) => {
    test('refuses two sources of the CA', () => {
      expect(problems({ [key]: { injectCaFromSecret: 'linkerd/x' } })).toMatchObject([
        { finding: 'ca-source-ambiguous/several', key, sources: 'injectCaFrom and injectCaFromSecret' },
      ]);
      expect(problems({ [key]: { caBundle: 'CA' } })).toMatchObject([
        { finding: 'ca-source-ambiguous/several', key, sources: 'injectCaFrom and caBundle' },
      ]);
    });

    test('requires a source of the CA', () => {
      expect(problems({ [key]: { injectCaFrom: '' } })).toMatchObject([{ finding: 'ca-source-ambiguous/none', key }]);
      expect(problems({ [key]: { injectCaFrom: '', caBundle: 'CA' } })).toEqual([]);
    });

    test('refuses a private key that the chart makes or that values contain', () => {
      expect(problems({ [key]: { externalSecret: false } })).toMatchObject([
        { finding: 'key-made-by-chart/webhook', key },
      ]);
      expect(problems({ [key]: { externalSecret: false, injectCaFrom: '' } })).toHaveLength(1);
      expect(problems({ [key]: { keyPEM: 'x' } })).toMatchObject([
        { finding: 'private-key-found/values', path: `values.${key}.keyPEM` },
      ]);
    });
  },
);

describe('checkControlPlaneRender, for private keys,', () => {
  test('refuses the issuer scheme with which the chart writes a private key', () => {
    expect(problems({ identity: { issuer: { scheme: 'linkerd.io/tls' } } })).toMatchObject([
      { finding: 'key-made-by-chart/identity', scheme: 'linkerd.io/tls' },
    ]);
  });

  test.each([
    [{ podAnnotations: { key: '-----BEGIN EC PRIVATE KEY-----' } }, 'values.podAnnotations.key'],
    [
      { proxy: { additionalEnv: [{ name: 'A', value: '-----BEGIN PRIVATE KEY-----' }] } },
      'values.proxy.additionalEnv[0].value',
    ],
    [{ identity: { issuer: { tls: { keyPEM: 'x' } } } }, 'values.identity.issuer.tls.keyPEM'],
  ] satisfies [Values, string][])('finds a private key in %j', (values, path) => {
    expect(problems(values)).toMatchObject([{ finding: 'private-key-found/values', path }]);
  });
});

describe('checkControlPlaneRender, for PodMonitors,', () => {
  const podMonitor = { enabled: true, controller: { namespaceSelector: 'matchNames: {{ .Values.names }}' } };

  test('refuses a template for namespaces with an unknown expression', () => {
    expect(problems({ podMonitor })).toMatchObject([{ finding: 'chart-value-refused/namespace-selector' }]);
  });

  test('ignores the template of a disabled PodMonitor', () => {
    expect(problems({ podMonitor: { ...podMonitor, enabled: false } })).toEqual([]);
    const controller = { ...podMonitor.controller, enabled: false };
    expect(problems({ podMonitor: { enabled: true, controller } })).toEqual([]);
  });
});

describe('checkControlPlaneRender, for the structure of values,', () => {
  test.each(['egress', 'podMonitor', 'policyController'])('refuses to remove the map %s', (key) => {
    expect(problems({ [key]: null })).toMatchObject([
      { finding: 'injected-value-missing/map-of-chart', path: key, value: 'null' },
    ]);
  });

  test('reports a removed map once, without its keys', () => {
    expect(problems({ proxy: null })).toMatchObject([
      { finding: 'injected-value-missing/map-of-chart', path: 'proxy', value: 'null' },
    ]);
    expect(problems({ proxy: { ports: null, image: 'x' } })).toMatchObject([
      { finding: 'injected-value-missing/map-of-chart', path: 'proxy.image', value: '"x"' },
      { finding: 'injected-value-missing/map-of-chart', path: 'proxy.ports', value: 'null' },
    ]);
  });
});
