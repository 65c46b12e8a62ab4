import {
  checkIngressHost,
  DashboardIngress,
  ingressWarnings,
  passesHost,
  upstreamHost,
} from '#lib/constructs/viz/ingress';

const host = 'linkerd.example.com';
const gateway = { namespace: 'gateways', name: 'internal' };

test('only the nginx snippet of an ingress rewrites the host', () => {
  expect(passesHost(DashboardIngress.nginx({ host }))).toBe(false);
  expect(passesHost(DashboardIngress.nginx({ host, snippets: false }))).toBe(true);
  expect(passesHost(DashboardIngress.traefik({ host }))).toBe(true);
  expect(passesHost(DashboardIngress.gateway({ host, gateway }))).toBe(true);
});

test('upstreamHost returns the host that the ingress sends to the dashboard', () => {
  expect(upstreamHost(DashboardIngress.nginx({ host }), 'linkerd-viz', 'k8s.example')).toBe(
    'web.linkerd-viz.svc.k8s.example:8084',
  );
  expect(upstreamHost(DashboardIngress.traefik({ host }), 'linkerd-viz', 'k8s.example')).toBe(host);
  expect(upstreamHost(DashboardIngress.traefik({ host: '*.example.com' }), 'linkerd-viz', 'k8s.example')).toBe(
    'any.example.com',
  );
});

test.each(['http://linkerd.example.com', 'Linkerd.example.com', '10.0.0.1', 'a:80', ''])(
  'an ingress refuses %j as its host',
  (bad) => {
    expect(checkIngressHost(DashboardIngress.nginx({ host: bad }))).toEqual([
      expect.objectContaining({ what: expect.stringContaining(`ingress.host is "${bad}"`) }),
    ]);
  },
);

test('an ingress accepts hosts and wildcards', () => {
  expect(checkIngressHost(DashboardIngress.nginx({ host }))).toEqual([]);
  expect(checkIngressHost(DashboardIngress.traefik({ host: '*.example.com' }))).toEqual([]);
});

test('synth warns of a dashboard without a login', () => {
  const open = [expect.objectContaining({ code: 'dashboard-open', parameters: expect.objectContaining({ host }) })];
  const auth = { group: 'traefik.io', kind: 'Middleware', name: 'auth' };
  expect(ingressWarnings(DashboardIngress.gateway({ host, gateway }))).toEqual(open);
  expect(ingressWarnings(DashboardIngress.traefik({ host }))).toEqual(open);
  for (const authentication of ['gateway', auth] as const) {
    expect(ingressWarnings(DashboardIngress.gateway({ host, gateway, authentication }))).toEqual([]);
  }
  expect(ingressWarnings(DashboardIngress.traefik({ host, basicAuthSecret: 'auth' }))).toEqual([]);
});

test('synth warns of an unmaintained ingress controller, with or without a login', () => {
  const retired = expect.objectContaining({ code: 'ingress-nginx-retired', parameters: { host } });
  expect(ingressWarnings(DashboardIngress.nginx({ host, basicAuthSecret: { name: 'auth' } }))).toEqual([retired]);
  expect(ingressWarnings(DashboardIngress.nginx({ host, snippets: false }))).toContainEqual(retired);
});
