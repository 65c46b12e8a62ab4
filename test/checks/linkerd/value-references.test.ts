import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkCollectors, serviceIn, valueReferences } from '#lib/checks/linkerd/value-references';
import { PodIndex } from '#lib/checks/policy/pod-index';
import { proxySettings } from '#lib/checks/policy/proxy-settings';
import { facts } from '../../support/findings';
import { namespace, workload } from '../policy/fixture';

test.each([
  ['otel.tracing:4317', { name: 'otel', namespace: 'tracing', port: 4317 }],
  ['otel.tracing.svc:4317', { name: 'otel', namespace: 'tracing', port: 4317 }],
  ['otel.tracing.svc.cluster.local.:4317', { name: 'otel', namespace: 'tracing', port: 4317 }],
  ['http://prometheus.monitoring.svc:9090/api', { name: 'prometheus', namespace: 'monitoring', port: 9090 }],
  ['grafana.grafana', { name: 'grafana', namespace: 'grafana', port: undefined }],
  ['https://prometheus.example.com', undefined],
  ['10.0.0.1:4317', undefined],
  ['[fd00::1]:4317', undefined],
  ['otel:4317', undefined],
  ['', undefined],
])('serviceIn reads the address %s as %j', (address, service) => expect(serviceIn(address)).toEqual(service));

const tracing = (collector: object, of = 'proxy'): Values =>
  ({ [of]: { tracing: { enabled: true, collector } } }) as unknown as Values;
const IDENTITY = { serviceAccountName: 'otel', namespace: 'shop' };

test('valueReferences returns the Services and ServiceAccounts of values that are in use', () => {
  const values = {
    ...tracing({ endpoint: 'otel.shop:4317', meshIdentity: IDENTITY }),
    prometheusUrl: 'http://p.m:9090',
  };
  expect(valueReferences('controlPlane', values).map(({ reference }) => reference)).toEqual([
    { kind: 'Service', namespace: 'm', name: 'p' },
    { kind: 'Service', namespace: 'shop', name: 'otel' },
    { kind: 'ServiceAccount', namespace: 'shop', name: 'otel' },
  ]);
  expect(
    valueReferences('controlPlane', { proxy: { tracing: { collector: { endpoint: 'otel.shop:4317' } } } }),
  ).toEqual([]);
  expect(
    valueReferences('viz', { grafana: { url: 'grafana.monitoring:3000' }, jaegerUrl: 'jaeger.tracing:16686' }),
  ).toHaveLength(2);
});

const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'otel', namespace: 'shop' },
  spec: { selector: { app: 'otel' }, ports: [{ port: 4317 }] },
} as KubernetesObject;

test.each([
  ['otel.shop:4317', 'enabled', 'otel', []],
  ['otel.shop:4317', 'disabled', 'otel', ['collector-refused']],
  ['otel.shop:4318', 'enabled', 'otel', ['collector-refused/port']],
  ['otel.shop:4317', 'enabled', 'other', ['collector-refused/identity']],
  ['elsewhere.shop:4317', 'disabled', 'other', []],
])(
  'checkCollectors, for a collector at %s in a namespace with inject: %s and of account %s, finds %j',
  (endpoint, inject, account, expected) => {
    const objects = [namespace('shop', { 'linkerd.io/inject': inject }), workload('otel', {}, { account })];
    const index = new PodIndex(objects, () => proxySettings({}));
    for (const part of ['proxy', 'controller']) {
      const found = checkCollectors(tracing({ endpoint, meshIdentity: IDENTITY }, part), index, [SERVICE]);
      expect(found.map((problem) => facts(problem).finding)).toEqual(expected);
    }
  },
);
