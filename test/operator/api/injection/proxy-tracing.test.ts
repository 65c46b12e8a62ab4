import { checkProxyTracing } from '../../../../operator/api/injection/proxy-tracing';
import type { Value } from '../../../../operator/api/kubernetes/values-merge';

const whats = (tracing: Value) => checkProxyTracing({ proxy: { tracing } }).map(({ what }) => what);
const collector = {
  endpoint: 'tempo.tracing:4317',
  meshIdentity: { serviceAccountName: 'tempo', namespace: 'tracing' },
};

test.each<[string, Value]>([
  ['removed', null],
  ['not mentioned', {}],
  ['switched off', { enabled: false }],
])('tracing that is %s needs no collector', (_name, tracing) => {
  expect(whats(tracing)).toEqual([]);
});

test('complete tracing is fine', () => {
  expect(whats({ enabled: true, collector })).toEqual([]);
});

test.each(['', ' ', null])('the endpoint %j is none', (endpoint) => {
  expect(whats({ enabled: true, collector: { ...collector, endpoint } })).toEqual([
    'values.proxy.tracing.enabled is true, but proxy.tracing.collector.endpoint is empty',
  ]);
});

test.each<[string, object]>([
  ['serviceAccountName', { namespace: 'tracing' }],
  ['namespace', { serviceAccountName: 'tempo', namespace: '' }],
  ['serviceAccountName and namespace', {}],
])('the identity needs %s', (lacking, meshIdentity) => {
  expect(whats({ enabled: true, collector: { ...collector, meshIdentity } as Value })).toEqual([
    `values.proxy.tracing.enabled is true, but proxy.tracing.collector.meshIdentity lacks ${lacking}`,
  ]);
});

test('both are said', () => {
  expect(whats({ enabled: true })).toHaveLength(2);
});
