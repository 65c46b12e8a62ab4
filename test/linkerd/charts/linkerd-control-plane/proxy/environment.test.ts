import { containerOf, proxyEnv } from '../fixture';

test('proxies find controllers in their own pod by its loopback', () => {
  const dst = 'LINKERD2_PROXY_DESTINATION_SVC_ADDR';
  const identity = 'LINKERD2_PROXY_IDENTITY_SVC_ADDR';
  expect(proxyEnv({}, 'destination', dst)?.value).toBe('localhost.:8086');
  expect(proxyEnv({}, 'identity', dst)?.value).toBe('linkerd-dst-headless.linkerd.svc.cluster.local.:8086');
  expect(proxyEnv({}, 'identity', identity)?.value).toBe('localhost.:8080');
  expect(proxyEnv({}, 'destination', identity)?.value).toBe(
    'linkerd-identity-headless.linkerd.svc.cluster.local.:8080',
  );
});

test("identity's port takes only TLS, whatever values say about others", () => {
  const values = { proxy: { requireTLSOnInboundPorts: '9090' } };
  const tls = 'LINKERD2_PROXY_INBOUND_PORTS_REQUIRE_TLS';
  expect(proxyEnv(values, 'identity', tls)?.value).toBe('8080');
  expect(proxyEnv(values, 'destination', tls)?.value).toBe('9090');
  expect(proxyEnv({}, 'destination', tls)).toBeUndefined();
});

test('webhooks stay reachable where the mesh denies by default', () => {
  const values = { proxy: { defaultInboundPolicy: 'deny' } };
  expect(proxyEnv(values, 'destination', 'LINKERD2_PROXY_INBOUND_DEFAULT_POLICY')?.value).toBe('all-unauthenticated');
  expect(containerOf(values, 'destination', 'policy').args).toContain('--default-policy=deny');
});

test('headers are kept out of logs unless they are asked for', () => {
  const log = (proxy: object) => proxyEnv({ proxy: { logLevel: 'warn', ...proxy } }, 'identity', 'LINKERD2_PROXY_LOG');
  expect(log({})?.value).toBe('warn,[{headers}]=off,[{request}]=off');
  expect(log({ logHTTPHeaders: '' })?.value).toBe('warn,[{headers}]=off,[{request}]=off');
  expect(log({ logHTTPHeaders: 'insecure' })?.value).toBe('warn');
});

test("the user's variables come last, and so win", () => {
  const proxy = { additionalEnv: [{ name: 'A' }], experimentalEnv: [{ name: 'B' }], accessLog: 'json' };
  const { env = [] } = containerOf({ proxy }, 'identity', 'linkerd-proxy');
  expect(env.slice(-3).map(({ name }) => name)).toEqual(['LINKERD2_PROXY_ACCESS_LOG', 'A', 'B']);
});

test('each parameter of a server has a variable of its name', () => {
  const proxy = { outbound: { server: { http2: { keepAliveInterval: '1s', keepAliveTimeout: null } } } };
  const { env = [] } = containerOf({ proxy }, 'identity', 'linkerd-proxy');
  const names = env.map(({ name }) => name).filter((name) => /OUTBOUND_SERVER/.test(name));
  expect(names).toEqual(['LINKERD2_PROXY_OUTBOUND_SERVER_HTTP2_KEEP_ALIVE_INTERVAL']);
});

test('trace attributes are sorted by key, one per line', () => {
  const labels = { 'k8s.pod.ip': null, 'k8s.pod.uid': null, 'k8s.container.name': null, 'a.b': '2', a: '1' };
  const collector = { endpoint: 'otel:4317', meshIdentity: { serviceAccountName: 'otel', namespace: 'tracing' } };
  const values = { proxy: { tracing: { enabled: true, labels, collector } } };
  expect(proxyEnv(values, 'identity', 'LINKERD2_PROXY_TRACE_EXTRA_ATTRIBUTES')?.value).toBe('a=1\na.b=2\n');
  expect(proxyEnv(values, 'identity', 'LINKERD2_PROXY_TRACE_COLLECTOR_SVC_NAME')?.value).toBe(
    'otel.tracing.serviceaccount.identity.linkerd.cluster.local',
  );
});
