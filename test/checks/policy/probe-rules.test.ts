import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { API, codesIn, everybody, exact, findingsIn, route, SHOP, server, shopWith, workload } from './fixture';

const http = (path: string, more: object = {}) => ({ livenessProbe: { httpGet: { path, port: 'http', ...more } } });
const GRPC = { readinessProbe: { grpc: { port: 8080 } } };
const LOCKED_OUT = ['Deployment api: probe-denied'];

const openRoute = (path: string, method?: string) => [
  route('probes', [exact(path, method)]),
  ...everybody('probes', { kind: 'HTTPRoute', name: 'probes' }),
];

// Linkerd reads probes of pods, and ignores hooks (linkerd2, policy-controller/k8s/index/src/inbound/workload.rs).
test('checkPolicies reports lifecycle hooks that the proxy refuses, unless a route admits them', () => {
  const hook = workload('api', { lifecycle: { preStop: { httpGet: { path: '/drain', port: 'http' } } } });
  expect(codesIn(SHOP, hook, server('api'))).toEqual(LOCKED_OUT);
  expect(codesIn(shopWith('all-authenticated'), hook)).toEqual(LOCKED_OUT);
  expect(codesIn(SHOP, hook, server('api'), ...openRoute('/drain', 'GET'))).toEqual([]);
  expect(codesIn(SHOP, hook, server('api', { accessPolicy: 'audit' }))).toEqual([]);
  const command = workload('api', { lifecycle: { preStop: { exec: { command: ['/drain'] } } } });
  expect(codesIn(SHOP, command, server('api'))).toEqual([]);
});

// Linkerd reads "health" as the name of a host (linkerd2, policy-controller/k8s/index/src/inbound/workload.rs).
test('checkPolicies reports a probe whose path does not begin with a slash', () => {
  expect(codesIn(SHOP, workload('api', http('health')), server('api'))).toEqual(LOCKED_OUT);
  expect(codesIn(SHOP, workload('api', http('health')), server('api'), ...openRoute('/health'))).toEqual([]);
  expect(codesIn(SHOP, workload('api', http('health')))).toEqual([]);
  expect(codesIn(SHOP, workload('api', http('')), server('api'))).toEqual([]);
});

// https://github.com/linkerd/linkerd2/issues/7050: Linkerd admits the probes that pods declare, unless the Server has
// routes.
describe('linkerd2#7050:', () => {
  test('a Server, or the default policy deny, admits HTTP probes of pods', () => {
    expect(codesIn(SHOP, workload('api', http('/health')), server('api'))).toEqual([]);
    const reached = everybody('all', API);
    expect(codesIn(shopWith('deny'), workload('api', http('/health')), server('api'), ...reached)).toEqual([]);
    expect(codesIn(shopWith('all-authenticated'), workload('api', http('/health')))).toEqual([]);
  });

  test('a route that is attached to the Server refuses probes', () => {
    const items = route('items', [exact('/items')]);
    expect(codesIn(SHOP, workload('api', http('/health')), server('api'), items)).toEqual(LOCKED_OUT);
  });

  test('another route that is open to all clients admits the probe again', () => {
    const objects = [SHOP, workload('api', http('/health')), server('api'), route('items', [exact('/items')])];
    expect(codesIn(...objects, ...openRoute('/health', 'GET'))).toEqual([]);
    expect(codesIn(...objects, ...openRoute('/health'))).toEqual([]);
    expect(codesIn(...objects, ...openRoute('/health', 'POST'))).toEqual(LOCKED_OUT);
    expect(codesIn(...objects, ...openRoute('/healthz'))).toEqual(LOCKED_OUT);
    expect(codesIn(...objects, route('probes', [exact('/health')]))).toEqual(LOCKED_OUT);
  });

  test('the route with the longest matching path decides', () => {
    const all = route('all', [{ path: { type: 'PathPrefix', value: '/' } }]);
    const open = everybody('all', { kind: 'HTTPRoute', name: 'all' });
    const objects = [SHOP, workload('api', http('/health/live')), server('api'), all, ...open];
    expect(codesIn(...objects)).toEqual([]);
    const closer = route('closer', [{ path: { type: 'PathPrefix', value: '/health/' } }]);
    expect(codesIn(...objects, closer)).toEqual(LOCKED_OUT);
    expect(codesIn(...objects, closer, ...everybody('server', API))).toEqual([]);
    expect(
      codesIn(...objects, route('expression', [{ path: { type: 'RegularExpression', value: '/hea.*' } }])),
    ).toEqual(LOCKED_OUT);
  });

  test('an audited Server and a port that skips the proxy admit probes', () => {
    const items = route('items', [exact('/items')]);
    const skipped = workload('api', http('/health'), {
      annotations: { 'config.linkerd.io/skip-inbound-ports': '25,8000-8100' },
    });
    expect(codesIn(SHOP, skipped, server('api'), items)).toEqual(['Deployment api: policy-not-enforced']);
    const audited = server('api', { accessPolicy: 'audit' });
    const catchAll = route('others', [{}]);
    expect(codesIn(SHOP, workload('api', http('/health')), audited, items, catchAll)).toEqual([]);
    // No route matches: the proxy responds with 404, also in an audit.
    expect(codesIn(SHOP, workload('api', http('/health')), audited, items)).toEqual(LOCKED_OUT);
  });
});

// https://github.com/linkerd/linkerd2/issues/10877: Linkerd compares routes with the path of a probe without its query.
test('linkerd2#10877: a route for the path of a probe admits it with a query', () => {
  const probed = workload('api', http('/health?full=1&x=/y'));
  expect(codesIn(SHOP, probed, server('api'), ...openRoute('/health'))).toEqual([]);
  expect(codesIn(SHOP, probed, server('api'), ...openRoute('/health?full=1&x=/y'))).toEqual(LOCKED_OUT);
});

// https://github.com/linkerd/linkerd2/issues/11590: kubelets follow a redirect to another path of the same host, but
// Linkerd admits only paths that pods declare. Synth cannot read redirects from manifests. For routes, too, a path with
// a final slash is a different path.
test('linkerd2#11590: a route for the path with a final slash does not admit a probe without it', () => {
  const probed = workload('api', http('/health'));
  expect(codesIn(SHOP, probed, server('api'), ...openRoute('/health/'))).toEqual(LOCKED_OUT);
});

test('a Server refuses probes over HTTPS or gRPC, and probes to ports of any protocol but HTTP/1', () => {
  const probed = (probe: object, spec: object = {}) => codesIn(SHOP, workload('api', probe), server('api', spec));
  expect(probed(http('/health', { scheme: 'HTTPS' }))).toEqual(LOCKED_OUT);
  expect(probed(http('/health'), { proxyProtocol: 'opaque' })).toEqual(LOCKED_OUT);
  expect(probed(http('/health'), { proxyProtocol: 'TLS' })).toEqual(LOCKED_OUT);
  expect(probed(http('/health'), { proxyProtocol: 'HTTP/2' })).toEqual(LOCKED_OUT);
  expect(probed(http('/health'), { proxyProtocol: 'gRPC' })).toEqual(LOCKED_OUT);
  expect(probed(http('/health'), { proxyProtocol: 'HTTP/1' })).toEqual([]);
  expect(probed(GRPC)).toEqual(LOCKED_OUT);
  expect(probed({ livenessProbe: { tcpSocket: { port: 8080 } } })).toEqual([]);
  expect(probed({ livenessProbe: { exec: { command: ['true'] } } })).toEqual([]);
  const opened = [server('api'), ...everybody('all', API)];
  expect(codesIn(SHOP, workload('api', GRPC), ...opened)).toEqual([]);
  expect(codesIn(SHOP, workload('api', http('/health', { scheme: 'HTTPS' })), ...opened)).toEqual([]);
});

test('the default policy deny refuses probes over gRPC, and HTTP probes of opaque ports', () => {
  const codes = (probe: object, annotations: Record<string, string> = {}) =>
    codesIn(shopWith('deny'), workload('api', { ...probe, ports: [] }, { annotations }));
  expect(codes({ livenessProbe: { grpc: { port: 9000 } } })).toEqual(LOCKED_OUT);
  expect(codes({ livenessProbe: { httpGet: { port: 9000 } } })).toEqual([]);
  expect(codes({ livenessProbe: { httpGet: { port: 9000 } } }, { 'config.linkerd.io/opaque-ports': '9000' })).toEqual(
    LOCKED_OUT,
  );
});

test('routes on the admin port of proxies refuse the probes of proxies, unless a route admits them', () => {
  const admin = server('admin', { port: 4191, podSelector: {} });
  const metrics = route('metrics', [exact('/metrics')], 'admin');
  expect(codesIn(SHOP, workload('api'), admin)).toEqual([]);
  expect(codesIn(SHOP, workload('api'), admin, metrics)).toEqual([...LOCKED_OUT, ...LOCKED_OUT]);
  expect(
    codesIn(
      SHOP,
      workload('api'),
      admin,
      metrics,
      route('probes', [exact('/live'), exact('/ready')], 'admin'),
      ...everybody('probes', { kind: 'HTTPRoute', name: 'probes' }),
    ),
  ).toEqual([]);
});

test('checkPolicies reports no probes of pods without a proxy', () => {
  const outside = workload('api', GRPC, { annotations: { 'linkerd.io/inject': 'disabled' } });
  const notKept = ['Deployment api: policy-not-enforced'];
  expect(codesIn(SHOP, outside, server('api'))).toEqual(notKept);
  expect(codesIn(SHOP, workload('api', GRPC, { hostNetwork: true }), server('api'))).toEqual(notKept);
});

test('checkPolicies names the probe, and the policy that refuses it', () => {
  const [finding] = findingsIn(SHOP, workload('api', GRPC), server('api'));
  expect(finding?.problem).toMatchObject({
    code: 'probe-denied',
    parameters: {
      policy: 'Server shop/api',
      field: 'readinessProbe of container main',
      object: 'Deployment shop/api',
      probe: 'gRPC at port 8080, /grpc.health.v1.Health/Check',
    },
  });
});

describe('checkPolicies, for ports that are opaque by default,', () => {
  const probed = (containerPort: number, annotations: Record<string, string> = {}) =>
    workload('api', { ports: [{ name: 'http', containerPort }], ...http('/health') }, { annotations });
  const refused = (...objects: KubernetesObject[]) =>
    codesIn(...objects).filter((code) => code.endsWith('probe-denied'));

  test.each([25, 587, 3306, 4444, 5432, 6379, 9300, 11211])('reports the HTTP probe at port %d', (port) => {
    expect(refused(shopWith('deny'), probed(port))).toEqual(LOCKED_OUT);
    expect(refused(shopWith('all-authenticated'), probed(port))).toEqual(LOCKED_OUT);
    expect(refused(shopWith('audit'), probed(port))).toEqual([]);
    expect(refused(shopWith('deny'), probed(8080))).toEqual([]);
    expect(refused(shopWith('deny'), probed(port), server('api', { proxyProtocol: 'HTTP/1' }))).toEqual([]);
  });

  test('reads opaque ports from the mesh, the namespace and the pods', () => {
    const of = (ports: string): KubernetesObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'linkerd-config', namespace: 'linkerd' },
      data: { values: `proxy:\n  opaquePorts: "${ports}"\n` },
    });
    expect(refused(shopWith('deny'), probed(8080), of('8000-8100'))).toEqual(LOCKED_OUT);
    expect(refused(shopWith('deny'), probed(3306), of('8080'))).toEqual([]);
    expect(refused(shopWith('deny'), probed(3306, { 'config.linkerd.io/opaque-ports': '' }))).toEqual([]);
    expect(refused(shopWith('deny'), probed(8080, { 'config.linkerd.io/opaque-ports': 'http' }))).toEqual(LOCKED_OUT);
  });
});

/** Returns the configuration of a mesh with networks of nodes. */
function probedFrom(...networks: readonly string[]): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'linkerd-config', namespace: 'linkerd' },
    data: { values: JSON.stringify({ policyController: { probeNetworks: networks } }) },
  };
}

const findings = (...objects: KubernetesObject[]) =>
  findingsIn(...objects).map(({ path, problem }) => `${path}: ${problem.code}`);
const network = (name: string, cidr: string, target: { kind: string; name: string }) =>
  everybody(name, target).map((object) =>
    object.kind === 'NetworkAuthentication' ? { ...object, spec: { networks: [{ cidr }] } } : object,
  );

describe('checkPolicies, for the paths of probes,', () => {
  const OPEN = ['Deployment api: probe-paths-open'];
  const api = workload('api', http('/health'));

  test.each<[string, readonly KubernetesObject[]]>([
    ['a Server', [SHOP, api, server('api')]],
    ['a Server with a route for probes', [SHOP, api, server('api'), ...openRoute('/health', 'GET')]],
    ['a default policy', [shopWith('cluster-authenticated'), api, server('other', { podSelector: {}, port: 9090 })]],
  ])('reports that any client can reach them with %s, unless the networks of the nodes are known', (_, objects) => {
    const found = (...more: KubernetesObject[]) =>
      findings(...objects, ...more).filter((code) => code.includes('probe'));
    expect(found()).toEqual(OPEN);
    expect(found(probedFrom('10.0.0.0/16'))).toEqual([]);
    expect(found(probedFrom('10.0.0.0/16', '::/0'))).toEqual(OPEN);
  });

  test.each<[string, readonly KubernetesObject[]]>([
    ['a port that is open', [SHOP, api, server('api', { accessPolicy: 'all-unauthenticated' })]],
    ['an audit', [shopWith('audit'), api]],
    ['pods without a proxy', [shopWith('deny'), workload('api', http('/health'), { hostNetwork: true })]],
    ['probes without HTTP', [shopWith('deny'), workload('api', { livenessProbe: { tcpSocket: { port: 'http' } } })]],
    ['a policy that admits all clients', [SHOP, api, server('api'), ...everybody('all', API)]],
    ['a route that admits all methods of all clients', [SHOP, api, server('api'), ...openRoute('/health')]],
  ])('reports nothing with %s', (_, objects) => {
    expect(findings(...objects).filter((code) => code.includes('probe'))).toEqual([]);
  });

  test('reports open paths once, with the number of workloads', () => {
    const many = ['api', 'web', 'jobs'].map((name) => workload(name, http(`/${name}`)));
    const [found, ...others] = findingsIn(shopWith('deny'), ...many).filter(
      ({ problem }) => problem.code === 'probe-paths-open',
    );
    const probes = '/api of Deployment shop/api, and the probes of 2 more';
    expect(found).toMatchObject({ path: 'Deployment api', problem: { parameters: { probes } } });
    expect(others).toEqual([]);
  });

  test('reports refused probes if the list of networks of the nodes is empty', () => {
    expect(codesIn(SHOP, api, server('api'), probedFrom())).toEqual(LOCKED_OUT);
    expect(codesIn(SHOP, api, server('api'), ...openRoute('/health', 'GET'), probedFrom())).toEqual([]);
  });
});

describe('checkPolicies, for the path of one workload’s probe, open on the pods of another,', () => {
  const both = { podSelector: { matchLabels: { tier: 'front' } } };
  const front = (name: string, path: string) => workload(name, http(path), { labels: { tier: 'front' } });
  const blue = front('blue', '/blue');
  const SHARED = ['Server api: probe-path-shared'];
  const found = (...objects: KubernetesObject[]) => codesIn(SHOP, ...objects).filter((code) => code.endsWith('shared'));
  const routes = [
    route('probes', [exact('/blue', 'GET'), exact('/green', 'GET')]),
    ...everybody('probes', { kind: 'HTTPRoute', name: 'probes' }),
  ];

  test('reports the path if both workloads share a Server with routes', () => {
    expect(found(blue, front('green', '/green'), server('api', both), ...routes)).toEqual(SHARED);
    expect(found(blue, front('green', '/blue'), server('api', both), ...routes)).toEqual([]);
    expect(found(blue, front('green', '/green'), server('api', both))).toEqual([]);
    expect(found(blue, front('green', '/green'), server('api', { ...both, accessPolicy: 'audit' }), ...routes)).toEqual(
      [],
    );
  });

  test('accepts the path if the routes admit only the networks of the nodes', () => {
    const ofNodes = [
      routes[0] as KubernetesObject,
      ...network('probes', '10.0.0.0/16', { kind: 'HTTPRoute', name: 'probes' }),
    ];
    expect(found(blue, front('green', '/green'), server('api', both), ...ofNodes)).toEqual([]);
  });
});
