import { mergeValues, type Values } from '#base/values';
import { facts } from '#test/support/findings';
import { chartValues, checkControlPlaneRender } from './fixture';

const problems = (values: Values) => checkControlPlaneRender(chartValues(values)).map(facts);

describe('proxies', () => {
  test.each(['everything', null])('headers are logged or not, %j is neither', (logHTTPHeaders) => {
    expect(problems({ proxy: { logHTTPHeaders } })).toMatchObject([
      { finding: 'injected-value-refused/header-logs', field: 'values.proxy.logHTTPHeaders' },
    ]);
  });

  test.each(['', 'off', 'insecure'])('%j is one of them', (logHTTPHeaders) => {
    expect(problems({ proxy: { logHTTPHeaders } })).toEqual([]);
  });

  test('tracing needs a collector, and its identity', () => {
    expect(problems({ proxy: { tracing: { enabled: true } } })).toHaveLength(2);
    expect(problems({ controller: { tracing: { enabled: true } } })).toHaveLength(1);
  });
});

describe('values that are printed without a look at whether they are there', () => {
  test.each<Values>([
    { clusterDomain: null },
    { proxy: { logLevel: null } },
    { proxy: { enableExternalProfiles: null } },
    { proxy: { ports: { admin: null } } },
    { identityTrustAnchorsPEM: null },
    { linkerdVersion: null },
    { linkerdVersion: '', controllerImageVersion: 'edge-26.8.3' },
    { linkerdVersion: '', proxy: { image: { version: 'edge-26.8.3' } } },
  ])('%j is a problem', (values) => expect(problems(values)).toHaveLength(1));

  test('a release is needed by images without a version of their own only', () => {
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
])('templates look into %s, with %j', (path, more) => {
  const removed = path.split('.').reduceRight<Values | null>((inside, key) => ({ [key]: inside }), null) ?? {};
  expect(problems(mergeValues(more, removed))).toMatchObject([
    { finding: 'injected-value-missing/map-of-chart', path, value: 'null' },
  ]);
});

test('what they look into with others only may be gone without', () => {
  expect(problems({ networkValidator: null, controller: { podDisruptionBudget: null } })).toEqual([]);
  expect(problems({ proxy: { startupProbe: null, nativeSidecar: false } })).toEqual([]);
});

test('null removes no label that the chart does not have', () => {
  expect(problems({ podAnnotations: { a: null }, identity: { podAnnotations: { b: null, c: 'd' } } })).toMatchObject([
    { finding: 'chart-value-refused/null', path: 'values.podAnnotations["a"]' },
    { finding: 'chart-value-refused/null', path: 'values.identity.podAnnotations["b"]' },
  ]);
  expect(problems({ proxy: { tracing: { labels: { 'k8s.pod.ip': null } } } })).toEqual([]);
});

test('the argument for traces of the destination controller is no environment variable', () => {
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

describe('the init container', () => {
  test.each(['nft', 'legacy'])('there are two kinds of iptables: %s', (iptablesMode) => {
    expect(problems({ proxyInit: { iptablesMode: 'ebpf' } })).toMatchObject([
      { finding: 'injected-value-refused/iptables-mode', field: 'values.proxyInit.iptablesMode' },
    ]);
    expect(problems({ proxyInit: { iptablesMode } })).toEqual([]);
  });

  test('a kernel parameter needs root', () => {
    expect(problems({ proxyInit: { closeWaitTimeoutSecs: 3 } })).toHaveLength(1);
    expect(problems({ proxyInit: { closeWaitTimeoutSecs: 3, runAsRoot: true } })).toEqual([]);
  });

  test('what is wrong with it does not matter where the CNI plugin takes its place', () => {
    expect(problems({ cniEnabled: true, proxyInit: { closeWaitTimeoutSecs: 3, iptablesMode: 'ebpf' } })).toEqual([]);
  });
});

describe.each(['proxyInjector', 'profileValidator', 'policyValidator'])('the webhook of %s', (key) => {
  test('has one CA', () => {
    expect(problems({ [key]: { injectCaFromSecret: 'linkerd/x' } })).toMatchObject([
      { finding: 'ca-source-ambiguous/several', key, sources: 'injectCaFrom and injectCaFromSecret' },
    ]);
    expect(problems({ [key]: { caBundle: 'CA' } })).toMatchObject([
      { finding: 'ca-source-ambiguous/several', key, sources: 'injectCaFrom and caBundle' },
    ]);
  });

  test('has a CA', () => {
    expect(problems({ [key]: { injectCaFrom: '' } })).toMatchObject([{ finding: 'ca-source-ambiguous/none', key }]);
    expect(problems({ [key]: { injectCaFrom: '', caBundle: 'CA' } })).toEqual([]);
  });

  test('has a key that no manifest holds', () => {
    expect(problems({ [key]: { externalSecret: false } })).toMatchObject([
      { finding: 'key-made-by-chart/webhook', key },
    ]);
    expect(problems({ [key]: { externalSecret: false, injectCaFrom: '' } })).toHaveLength(1);
    expect(problems({ [key]: { keyPEM: 'x' } })).toMatchObject([
      { finding: 'private-key-found/values', path: `values.${key}.keyPEM` },
    ]);
  });
});

describe('private keys', () => {
  test('the issuer has one that no manifest holds', () => {
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
  ] satisfies [Values, string][])('are found in %j', (values, path) => {
    expect(problems(values)).toMatchObject([{ finding: 'private-key-found/values', path }]);
  });
});

describe('PodMonitors', () => {
  const podMonitor = { enabled: true, controller: { namespaceSelector: 'matchNames: {{ .Values.names }}' } };

  test('the template of the namespaces can be filled in', () => {
    expect(problems({ podMonitor })).toMatchObject([{ finding: 'chart-value-refused/namespace-selector' }]);
  });

  test('a template that is not used need not be read', () => {
    expect(problems({ podMonitor: { ...podMonitor, enabled: false } })).toEqual([]);
    const controller = { ...podMonitor.controller, enabled: false };
    expect(problems({ podMonitor: { enabled: true, controller } })).toEqual([]);
  });
});

describe('the structure of values', () => {
  test.each(['egress', 'podMonitor', 'policyController'])('%s cannot be removed', (key) => {
    expect(problems({ [key]: null })).toMatchObject([
      { finding: 'injected-value-missing/map-of-chart', path: key, value: 'null' },
    ]);
  });

  test('what is in a map that is gone is not reported, too', () => {
    expect(problems({ proxy: null })).toMatchObject([
      { finding: 'injected-value-missing/map-of-chart', path: 'proxy', value: 'null' },
    ]);
    expect(problems({ proxy: { ports: null, image: 'x' } })).toMatchObject([
      { finding: 'injected-value-missing/map-of-chart', path: 'proxy.image', value: '"x"' },
      { finding: 'injected-value-missing/map-of-chart', path: 'proxy.ports', value: 'null' },
    ]);
  });
});
