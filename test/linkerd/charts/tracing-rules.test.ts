import type { Values } from '../../../lib/kubernetes/values';
import { checkTracing } from '../../../lib/linkerd/charts/tracing-rules';
import { defaultsOf } from '../../../lib/linkerd/releases/chart-defaults';
import { releaseOf } from '../../../lib/linkerd/releases/release';

const whats = (values: Values) => checkTracing(values).map(({ what }) => what);
const collector = {
  endpoint: 'tempo.tracing:4317',
  meshIdentity: { serviceAccountName: 'tempo', namespace: 'tracing' },
};

test('no tracing needs no collector', () => {
  expect(checkTracing(defaultsOf(releaseOf('edge-26.8.3')).controlPlane)).toEqual([]);
});

test('complete tracing is fine', () => {
  expect(
    whats({ proxy: { tracing: { enabled: true, collector } }, controller: { tracing: { enabled: true } } }),
  ).toEqual([]);
});

test('proxies need an endpoint and an identity', () => {
  expect(whats({ proxy: { tracing: { enabled: true, collector: { endpoint: ' ' } } } })).toEqual([
    'values.proxy.tracing.enabled is true, but proxy.tracing.collector.endpoint is empty',
    'values.proxy.tracing.enabled is true, but proxy.tracing.collector.meshIdentity lacks serviceAccountName and namespace',
  ]);
});

test('half an identity is none', () => {
  const meshIdentity = { serviceAccountName: 'tempo' };
  expect(whats({ proxy: { tracing: { enabled: true, collector: { ...collector, meshIdentity } } } })).toEqual([
    'values.proxy.tracing.enabled is true, but proxy.tracing.collector.meshIdentity lacks namespace',
  ]);
});

test('controllers need an endpoint, of their own or of the proxies', () => {
  const controller = { tracing: { enabled: true } };
  expect(whats({ controller })).toHaveLength(1);
  expect(whats({ controller, proxy: { tracing: { collector } } })).toEqual([]);
  expect(whats({ controller: { tracing: { enabled: true, collector } } })).toEqual([]);
});
