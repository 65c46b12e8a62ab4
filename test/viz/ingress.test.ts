import { checkIngressHost, Ingress, openDashboardWarning, passesHost, upstreamHost } from '../../lib/viz/ingress';

const host = 'linkerd.example.com';

test('only the snippet rewrites the host', () => {
  expect(passesHost(Ingress.nginx({ host }))).toBe(false);
  expect(passesHost(Ingress.nginx({ host, snippets: false }))).toBe(true);
  expect(passesHost(Ingress.traefik({ host }))).toBe(true);
});

test('what the dashboard sees as host', () => {
  expect(upstreamHost(Ingress.nginx({ host }), 'linkerd-viz', 'k8s.example')).toBe(
    'web.linkerd-viz.svc.k8s.example:8084',
  );
  expect(upstreamHost(Ingress.traefik({ host }), 'linkerd-viz', 'k8s.example')).toBe(host);
  expect(upstreamHost(Ingress.traefik({ host: '*.example.com' }), 'linkerd-viz', 'k8s.example')).toBe(
    'any.example.com',
  );
});

test.each(['http://linkerd.example.com', 'Linkerd.example.com', '10.0.0.1', 'a:80', ''])('%j is no host', (bad) => {
  expect(checkIngressHost(Ingress.nginx({ host: bad }))).toEqual([
    expect.objectContaining({ what: expect.stringContaining(`ingress.host is "${bad}"`) }),
  ]);
});

test('hosts and wildcards are taken', () => {
  expect(checkIngressHost(Ingress.nginx({ host }))).toEqual([]);
  expect(checkIngressHost(Ingress.traefik({ host: '*.example.com' }))).toEqual([]);
});

test('a dashboard without a password is a risk', () => {
  expect(openDashboardWarning(Ingress.nginx({ host }))).toEqual([
    expect.objectContaining({ what: expect.stringContaining(host) }),
  ]);
  expect(openDashboardWarning(Ingress.nginx({ host, basicAuthSecret: { name: 'auth' } }))).toEqual([]);
  expect(openDashboardWarning(Ingress.traefik({ host, basicAuthSecret: 'auth' }))).toEqual([]);
});
