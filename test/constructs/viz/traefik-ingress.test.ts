import { Testing } from 'cdk8s';
import { checkObject } from '#kubernetes/schemas/schema';
import { DashboardIngress } from '#lib/constructs/viz/ingress';
import { TraefikDashboard, type TraefikIngress, type TraefikIngressProps } from '#lib/constructs/viz/traefik-ingress';
import { ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { type Emitted, problemsOf } from './mesh-fixture';

const host = 'linkerd.example.com';
const namespace = 'linkerd-viz';

function dashboard(props: Partial<TraefikIngressProps> = {}) {
  const chart = Testing.chart();
  const ingress = DashboardIngress.traefik({ host, ...props }) as TraefikIngress;
  const construct = new TraefikDashboard(chart, 'ingress', { ingress, namespace, clusterDomain: 'cluster.local' });
  const objects = Object.fromEntries(
    (plainObjects(chart) as Emitted[]).map((object) => [`${object.kind}/${object.metadata.name}`, object]),
  );
  return { construct, objects };
}

describe('TraefikIngress with all options', () => {
  const { construct, objects } = dashboard({ basicAuthSecret: 'auth', tls: { clusterIssuer: 'ca-issuer' } });

  test('consists of valid objects', () => {
    expect(Object.keys(objects).sort()).toEqual([
      'Certificate/linkerd-viz-tls',
      'IngressRoute/linkerd-viz',
      'Middleware/linkerd-viz-basic-auth',
      'Middleware/linkerd-viz-headers',
    ]);
    expect(Object.values(objects).flatMap(checkObject)).toEqual([]);
    expect(problemsOf(construct)).toEqual([]);
  });

  test('sends a meshed Traefik to the Service, and removes headers of Linkerd', () => {
    expect(objects['Middleware/linkerd-viz-headers']?.spec).toEqual({
      headers: {
        customRequestHeaders: { 'l5d-dst-override': 'web.linkerd-viz.svc.cluster.local:8084' },
        customResponseHeaders: { 'l5d-remote-ip': '', 'l5d-server-id': '' },
      },
    });
  });

  test('requires a password, and does not pass it on', () => {
    expect(objects['Middleware/linkerd-viz-basic-auth']?.spec).toEqual({
      basicAuth: { secret: 'auth', removeHeader: true },
    });
  });

  test('routes the host to the dashboard by TLS', () => {
    expect(objects['IngressRoute/linkerd-viz']?.spec).toEqual({
      entryPoints: ['websecure'],
      routes: [
        {
          kind: 'Rule',
          match: 'Host(`linkerd.example.com`)',
          middlewares: [
            { name: 'linkerd-viz-headers', namespace },
            { name: 'linkerd-viz-basic-auth', namespace },
          ],
          services: [{ name: 'web', namespace, port: 8084 }],
        },
      ],
      tls: { secretName: 'linkerd-viz-tls' },
    });
  });

  test('has a certificate of its host', () => {
    expect(objects['Certificate/linkerd-viz-tls']?.spec).toEqual({
      secretName: 'linkerd-viz-tls',
      commonName: host,
      dnsNames: [host],
      issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'ca-issuer' },
      isCA: false,
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
      usages: ['digital signature', 'server auth'],
    });
  });
});

test('TraefikIngress uses the plain entry point without TLS and password', () => {
  const { objects } = dashboard();
  expect(Object.keys(objects).sort()).toEqual(['IngressRoute/linkerd-viz', 'Middleware/linkerd-viz-headers']);
  expect(objects['IngressRoute/linkerd-viz']?.spec).toMatchObject({ entryPoints: ['web'] });
  expect(objects['IngressRoute/linkerd-viz']?.spec).not.toHaveProperty('tls');
});

test('TraefikIngress uses an existing certificate', () => {
  const { objects } = dashboard({ tls: { secretName: 'mine' } });
  expect(objects['IngressRoute/linkerd-viz']?.spec).toMatchObject({ tls: { secretName: 'mine' } });
  expect(Object.keys(objects)).not.toContain('Certificate/mine');
});

test('TraefikIngress matches a wildcard as a whole', () => {
  const { objects } = dashboard({ host: '*.example.com' });
  expect(objects['IngressRoute/linkerd-viz']?.spec).toMatchObject({
    routes: [{ match: 'HostRegexp(`^[^.:]+\\.example\\.com$`)' }],
  });
});

test('TraefikIngress checks entry points and names', () => {
  const ingress = DashboardIngress.traefik({ host, entryPoints: [], basicAuthSecret: 'A', tls: { issuer: 'B' } });
  const construct = new TraefikDashboard(Testing.chart(), 'ingress', {
    ingress: ingress as TraefikIngress,
    namespace,
    clusterDomain: 'cluster.local',
  });
  expect(ruleFindingsIn(construct)).toMatchObject([
    { code: 'viz-value-refused' },
    { what: expect.stringContaining('ingress.basicAuthSecret is "A"') },
    { what: expect.stringContaining('ingress.tls.issuer is "B"') },
  ]);
});

test('TraefikIngress accepts custom entry points', () => {
  const { construct, objects } = dashboard({ entryPoints: ['internal'] });
  expect(objects['IngressRoute/linkerd-viz']?.spec).toMatchObject({ entryPoints: ['internal'] });
  expect(problemsOf(construct)).toEqual([]);
});
