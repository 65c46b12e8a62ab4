import { API, account, codesIn, everybody, exact, route, SHOP, server, shopWith, workload } from './fixture';

describe('checkPolicies, for two Servers of the same port,', () => {
  const overlap = ['Server b: servers-overlap'];

  test.each([
    ['by name and number', { port: 8080 }],
    ['by other labels', { podSelector: { matchLabels: { tier: 'front' } } }],
    ['by an empty selector', { podSelector: {} }],
    ['by expression', { podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['api', 'web'] }] } }],
  ])('reports an overlap %s', (_, spec) => {
    const api = workload('api', {}, { labels: { tier: 'front' } });
    expect(codesIn(SHOP, api, server('a'), server('b', spec))).toEqual(overlap);
  });

  test.each([
    ['of other pods', { podSelector: { matchLabels: { app: 'web' } } }],
    ['of another port', { port: 'metrics' }],
    ['of external workloads', { podSelector: undefined, externalWorkloadSelector: {} }],
  ])('accepts Servers %s', (_, spec) => {
    const ports = [
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9090 },
    ];
    expect(codesIn(SHOP, workload('api', { ports }), workload('web'), server('a'), server('b', spec))).toEqual([]);
  });

  test('accepts Servers in two namespaces', () => {
    expect(codesIn(SHOP, workload('api'), server('a'), server('b', {}, 'jobs'))).toEqual([]);
  });

  test('reports an overlap once for all shared pods', () => {
    const many = Array.from({ length: 5 }, (_, index) => workload(`w${index}`, {}, { labels: { tier: 'front' } }));
    const selector = { podSelector: { matchLabels: { tier: 'front' } } };
    expect(codesIn(SHOP, ...many, server('a', selector), server('b', selector))).toEqual(overlap);
  });
});

describe('checkPolicies, for the control plane,', () => {
  const destination = workload(
    'linkerd-destination',
    {},
    {
      labels: { 'linkerd.io/control-plane-component': 'destination' },
      namespace: 'linkerd',
      annotations: { 'config.linkerd.io/default-inbound-policy': 'all-unauthenticated' },
    },
  );

  test('refuses a Server', () => {
    expect(codesIn(destination, server('a', { podSelector: {} }, 'linkerd'))).toEqual([
      'Server a: control-plane-guarded',
    ]);
  });

  test('accepts an audited Server', () => {
    expect(codesIn(destination, server('a', { podSelector: {}, accessPolicy: 'audit' }, 'linkerd'))).toEqual([]);
  });

  test('accepts a default policy of the namespace, which the pods override', () => {
    const closed = {
      ...SHOP,
      metadata: { name: 'linkerd', annotations: { 'config.linkerd.io/default-inbound-policy': 'deny' } },
    };
    expect(codesIn(closed, destination)).toEqual([]);
  });
});

describe('checkPolicies, for routes,', () => {
  test.each([
    ['HTTPRoute', 'opaque', true],
    ['HTTPRoute', 'TLS', true],
    ['HTTPRoute', 'gRPC', true],
    ['HTTPRoute', 'HTTP/2', false],
    ['HTTPRoute', 'unknown', false],
    ['GRPCRoute', 'gRPC', false],
    ['GRPCRoute', 'unknown', true],
  ])('reports a route of kind %s if a Server of %s ignores it: %p', (kind, proxyProtocol, isUnseen) => {
    const codes = codesIn(SHOP, workload('api'), server('api', { proxyProtocol }), route('r', [{}], 'api', kind));
    expect(codes).toEqual(isUnseen ? ['Server api: route-protocol-mismatch'] : []);
  });

  test('reports routes for some paths, which refuse other requests of clients of the Server', () => {
    const objects = [SHOP, workload('api'), workload('web'), server('api'), account('web', API)];
    const items = route('items', [exact('/items')]);
    expect(codesIn(...objects, items)).toEqual(['Server api: routes-partial']);
    expect(codesIn(...objects, items, route('others', [{}]))).toEqual([]);
    expect(codesIn(...objects, route('both', [exact('/items'), {}]))).toEqual([]);
    expect(codesIn(...objects)).toEqual([]);
    const ofRoute = account('web', { kind: 'HTTPRoute', name: 'items' });
    expect(codesIn(SHOP, workload('api'), workload('web'), server('api'), items, ofRoute)).toEqual([]);
  });
});

describe('checkPolicies, for a Server without pods,', () => {
  test.each([
    [{ podSelector: { matchLabels: { app: 'apl' } } }, ['Server api: policy-without-pods']],
    [{ port: 'htp' }, ['Server api: policy-without-pods']],
    [{ port: 9999 }, []],
    [{ podSelector: { matchExpressions: [{ key: 'linkerd.io/control-plane-ns', operator: 'Exists' }] } }, []],
  ])('reports for %j: %j', (spec, codes) => expect(codesIn(SHOP, workload('api'), server('api', spec))).toEqual(codes));

  test('accepts a Server in a namespace without declared objects', () => {
    expect(codesIn(SHOP, workload('api'), server('api', { podSelector: {} }, 'redis'))).toEqual([]);
  });

  test('accepts a Server of a chart of Linkerd', () => {
    const { metadata, ...others } = server('api', { podSelector: { matchLabels: { a: 'b' } } });
    const made = { ...others, metadata: { ...metadata, annotations: { 'linkerd.io/created-by': 'helm' } } };
    expect(codesIn(SHOP, workload('api'), made)).toEqual([]);
  });
});

test('checkPolicies reports a Server whose protocol detection overrides an opaque port', () => {
  const db = workload('api', {}, { annotations: { 'config.linkerd.io/opaque-ports': '8080' } });
  expect(codesIn(SHOP, db, server('api'))).toEqual(['Server api: opaque-port-overridden']);
  expect(codesIn(SHOP, db, server('api', { proxyProtocol: 'opaque' }))).toEqual([]);
  expect(codesIn(SHOP, workload('api'), server('api'), ...everybody('all', API))).toEqual([]);
});

describe('checkPolicies, for a port that requires an identity,', () => {
  const annotations = { 'config.linkerd.io/proxy-require-identity-inbound-ports': '8080' };
  const api = workload('api', {}, { annotations });
  const UNDONE = ['Deployment api: required-identity-overridden'];

  test.each(['all-unauthenticated', 'cluster-unauthenticated', 'audit'])('refuses the access policy %s', (mode) => {
    expect(codesIn(SHOP, api, server('api', { accessPolicy: mode }))).toEqual(UNDONE);
    expect(codesIn(SHOP, workload('api'), server('api', { accessPolicy: mode }))).toEqual([]);
  });

  test.each(['all-authenticated', 'deny', undefined])('accepts the access policy %s', (accessPolicy) => {
    expect(codesIn(SHOP, api, server('api', { accessPolicy }))).toEqual([]);
  });

  test('refuses the default policy audit of the namespace, and accepts other default policies', () => {
    expect(codesIn(shopWith('audit'), api)).toEqual(UNDONE);
    expect(codesIn(shopWith('cluster-unauthenticated'), api)).toEqual([]);
    expect(codesIn(shopWith('all-authenticated'), api)).toEqual([]);
  });
});
