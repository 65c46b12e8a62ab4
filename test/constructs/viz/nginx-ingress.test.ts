import { type Chart, Testing } from 'cdk8s';
import { checkObject } from '#kubernetes/schemas/schema';
import { DashboardIngress } from '#lib/constructs/viz/ingress';
import {
  NginxDashboard,
  type NginxIngress,
  type NginxIngressProps,
  nginxIngress,
} from '#lib/constructs/viz/nginx-ingress';
import { problemsOf } from './mesh-fixture';

const host = 'linkerd.picluster.ricsanfre.com';
const place = { namespace: 'linkerd-viz', clusterDomain: 'cluster.local' };
const ingressOf = (props: Partial<NginxIngressProps> = {}) =>
  nginxIngress({ ...place, ingress: DashboardIngress.nginx({ host, ...props }) as NginxIngress });

test('NginxIngress renders the Ingress of the Raspberry Pi guide', () => {
  const ingress = ingressOf({
    basicAuthSecret: { namespace: 'nginx', name: 'basic-auth-secret' },
    tls: { clusterIssuer: 'ca-issuer' },
  });
  expect(ingress).toEqual({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: 'linkerd-viz-ingress',
      namespace: 'linkerd-viz',
      annotations: {
        'nginx.ingress.kubernetes.io/auth-type': 'basic',
        'nginx.ingress.kubernetes.io/auth-secret': 'nginx/basic-auth-secret',
        'nginx.ingress.kubernetes.io/service-upstream': 'true',
        'nginx.ingress.kubernetes.io/upstream-vhost': '$service_name.$namespace.svc.cluster.local:8084',
        'nginx.ingress.kubernetes.io/configuration-snippet':
          'proxy_set_header Origin "";\nproxy_hide_header l5d-remote-ip;\nproxy_hide_header l5d-server-id;\n',
        'cert-manager.io/cluster-issuer': 'ca-issuer',
        'cert-manager.io/common-name': host,
      },
    },
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: [host], secretName: 'linkerd-viz-tls' }],
      rules: [
        {
          host,
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 8084 } } } }],
          },
        },
      ],
    },
  });
  expect(checkObject(ingress)).toEqual([]);
});

test('NginxIngress without snippets changes neither Host nor Origin', () => {
  expect(ingressOf({ snippets: false }).metadata?.annotations).toEqual({
    'nginx.ingress.kubernetes.io/service-upstream': 'true',
  });
});

test('NginxIngress reads a Secret without a namespace from the namespace of the Ingress', () => {
  expect(ingressOf({ basicAuthSecret: { name: 'auth' } }).metadata?.annotations).toMatchObject({
    'nginx.ingress.kubernetes.io/auth-secret': 'linkerd-viz/auth',
  });
});

test('NginxIngress accepts an Issuer of the namespace, and custom names', () => {
  const ingress = ingressOf({
    ingressClassName: 'internal',
    tls: { issuer: 'local', secretName: 'tls', commonName: 'viz' },
  });
  expect(ingress.metadata?.annotations).toMatchObject({
    'cert-manager.io/issuer': 'local',
    'cert-manager.io/common-name': 'viz',
  });
  expect(ingress.spec).toMatchObject({ ingressClassName: 'internal', tls: [{ secretName: 'tls' }] });
});

test('NginxIngress omits a common name that is too long', () => {
  const long = `${'a'.repeat(60)}.example`;
  expect(ingressOf({ host: long, tls: { clusterIssuer: 'ca' } }).metadata?.annotations).not.toHaveProperty(
    'cert-manager.io/common-name',
  );
});

test('NginxIngress needs no issuer for an existing certificate', () => {
  const ingress = ingressOf({ tls: { secretName: 'mine' } });
  expect(ingress.spec?.tls).toEqual([{ hosts: [host], secretName: 'mine' }]);
  expect(Object.keys(ingress.metadata?.annotations ?? {}).filter((key) => key.startsWith('cert-manager'))).toEqual([]);
});

test('NginxIngress checks all names at once', () => {
  const chart: Chart = Testing.chart();
  const ingress = DashboardIngress.nginx({
    host,
    ingressClassName: 'My Class',
    basicAuthSecret: { namespace: 'a.b', name: 'Auth' },
    tls: { clusterIssuer: 'CA' },
  }) as NginxIngress;
  expect(problemsOf(new NginxDashboard(chart, 'ingress', { ...place, ingress }))).toEqual([
    expect.stringContaining('ingress.ingressClassName is "My Class"'),
    expect.stringContaining('ingress.basicAuthSecret.name is "Auth"'),
    expect.stringContaining('ingress.basicAuthSecret.namespace is "a.b"'),
    expect.stringContaining('ingress.tls.clusterIssuer is "CA"'),
  ]);
});
