import { API, account, codesIn, everybody, exact, route, SHOP, server, shopWith, workload } from './fixture';

describe('two Servers for one port', () => {
  const overlap = ['Server b: servers-overlap'];

  test.each([
    ['by name and number', { port: 8080 }],
    ['by other labels', { podSelector: { matchLabels: { tier: 'front' } } }],
    ['by no label at all', { podSelector: {} }],
    [
      'by an expression',
      { podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['api', 'web'] }] } },
    ],
  ])('%s', (_, spec) => {
    const api = workload('api', {}, { labels: { tier: 'front' } });
    expect(codesIn(SHOP, api, server('a'), server('b', spec))).toEqual(overlap);
  });

  test.each([
    ['of other pods', { podSelector: { matchLabels: { app: 'web' } } }],
    ['of another port', { port: 'metrics' }],
    ['of machines', { podSelector: undefined, externalWorkloadSelector: {} }],
  ])('are right %s', (_, spec) => {
    const ports = [
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9090 },
    ];
    expect(codesIn(SHOP, workload('api', { ports }), workload('web'), server('a'), server('b', spec))).toEqual([]);
  });

  test('are right in two namespaces', () => {
    expect(codesIn(SHOP, workload('api'), server('a'), server('b', {}, 'jobs'))).toEqual([]);
  });

  test('are found once, however many pods they share', () => {
    const many = Array.from({ length: 5 }, (_, index) => workload(`w${index}`, {}, { labels: { tier: 'front' } }));
    const selector = { podSelector: { matchLabels: { tier: 'front' } } };
    expect(codesIn(SHOP, ...many, server('a', selector), server('b', selector))).toEqual(overlap);
  });
});

describe('the control plane', () => {
  const destination = workload(
    'linkerd-destination',
    {},
    {
      labels: { 'linkerd.io/control-plane-component': 'destination' },
      namespace: 'linkerd',
      annotations: { 'config.linkerd.io/default-inbound-policy': 'all-unauthenticated' },
    },
  );

  test('is not to be guarded', () => {
    expect(codesIn(destination, server('a', { podSelector: {} }, 'linkerd'))).toEqual([
      'Server a: control-plane-guarded',
    ]);
  });

  test('may be audited', () => {
    expect(codesIn(destination, server('a', { podSelector: {}, accessPolicy: 'audit' }, 'linkerd'))).toEqual([]);
  });

  test('is not shut by a default of its namespace, as its pods say otherwise', () => {
    const closed = {
      ...SHOP,
      metadata: { name: 'linkerd', annotations: { 'config.linkerd.io/default-inbound-policy': 'deny' } },
    };
    expect(codesIn(closed, destination)).toEqual([]);
  });
});

describe('routes', () => {
  test.each([
    ['HTTPRoute', 'opaque', true],
    ['HTTPRoute', 'TLS', true],
    ['HTTPRoute', 'gRPC', true],
    ['HTTPRoute', 'HTTP/2', false],
    ['HTTPRoute', 'unknown', false],
    ['GRPCRoute', 'gRPC', false],
    ['GRPCRoute', 'unknown', true],
  ])('%s at a Server of %s is not looked at: %p', (kind, proxyProtocol, isUnseen) => {
    const codes = codesIn(SHOP, workload('api'), server('api', { proxyProtocol }), route('r', [{}], 'api', kind));
    expect(codes).toEqual(isUnseen ? ['Server api: route-protocol-mismatch'] : []);
  });

  test('that fit some requests only shut clients of the whole Server out of others', () => {
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

describe('a Server without pods', () => {
  test.each([
    [{ podSelector: { matchLabels: { app: 'apl' } } }, ['Server api: policy-without-pods']],
    [{ port: 'htp' }, ['Server api: policy-without-pods']],
    [{ port: 9999 }, []],
    [{ podSelector: { matchExpressions: [{ key: 'linkerd.io/control-plane-ns', operator: 'Exists' }] } }, []],
  ])('%j: %j', (spec, codes) => {
    expect(codesIn(SHOP, workload('api'), server('api', spec))).toEqual(codes);
  });

  test('may have some in a namespace of which nothing is known here', () => {
    expect(codesIn(SHOP, workload('api'), server('api', { podSelector: {} }, 'redis'))).toEqual([]);
  });

  test('of Linkerd’s own charts is meant so', () => {
    const { metadata, ...others } = server('api', { podSelector: { matchLabels: { a: 'b' } } });
    const made = { ...others, metadata: { ...metadata, annotations: { 'linkerd.io/created-by': 'helm' } } };
    expect(codesIn(SHOP, workload('api'), made)).toEqual([]);
  });
});

test('a Server that has an opaque port detected is reported', () => {
  const db = workload('api', {}, { annotations: { 'config.linkerd.io/opaque-ports': '8080' } });
  expect(codesIn(SHOP, db, server('api'))).toEqual(['Server api: opaque-port-overridden']);
  expect(codesIn(SHOP, db, server('api', { proxyProtocol: 'opaque' }))).toEqual([]);
  expect(codesIn(SHOP, workload('api'), server('api'), ...everybody('all', API))).toEqual([]);
});

describe('a port that requires an identity', () => {
  const annotations = { 'config.linkerd.io/proxy-require-identity-inbound-ports': '8080' };
  const api = workload('api', {}, { annotations });
  const UNDONE = ['Deployment api: required-identity-overridden'];

  test.each(['all-unauthenticated', 'cluster-unauthenticated', 'audit'])(
    'is not to have the access policy %s',
    (mode) => {
      expect(codesIn(SHOP, api, server('api', { accessPolicy: mode }))).toEqual(UNDONE);
      expect(codesIn(SHOP, workload('api'), server('api', { accessPolicy: mode }))).toEqual([]);
    },
  );

  test.each(['all-authenticated', 'deny', undefined])('may have the access policy %s', (accessPolicy) => {
    expect(codesIn(SHOP, api, server('api', { accessPolicy }))).toEqual([]);
  });

  test('is opened by an audit of its namespace, and by no other default', () => {
    expect(codesIn(shopWith('audit'), api)).toEqual(UNDONE);
    expect(codesIn(shopWith('cluster-unauthenticated'), api)).toEqual([]);
    expect(codesIn(shopWith('all-authenticated'), api)).toEqual([]);
  });
});
