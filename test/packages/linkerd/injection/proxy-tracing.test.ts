import type { Value } from '#base/values';
import { checkProxyTracing } from '#linkerd/injection/proxy-tracing';

const found = (tracing: Value) => checkProxyTracing({ proxy: { tracing } });
const collector = {
  endpoint: 'tempo.tracing:4317',
  meshIdentity: { serviceAccountName: 'tempo', namespace: 'tracing' },
};

test.each<[string, Value]>([
  ['removed', null],
  ['not mentioned', {}],
  ['switched off', { enabled: false }],
])('tracing that is %s needs no collector', (_name, tracing) => expect(found(tracing)).toEqual([]));

test('the check of tracing accepts complete values', () => expect(found({ enabled: true, collector })).toEqual([]));

test.each(['', ' ', null])('the check of tracing treats the endpoint %j as missing', (endpoint) => {
  expect(found({ enabled: true, collector: { ...collector, endpoint } })).toMatchObject([
    { code: 'injected-value-missing', cause: 'trace-collector', parameters: { enabled: 'proxy.tracing.enabled' } },
  ]);
});

test.each<[string, object]>([
  ['serviceAccountName', { namespace: 'tracing' }],
  ['namespace', { serviceAccountName: 'tempo', namespace: '' }],
  ['serviceAccountName and namespace', {}],
])('the check of tracing requires %s for the identity of the collector', (lacking, meshIdentity) => {
  expect(found({ enabled: true, collector: { ...collector, meshIdentity } as Value })).toMatchObject([
    { code: 'injected-value-missing', cause: 'trace-identity', parameters: { missing: lacking } },
  ]);
});

test('the check of tracing reports a missing endpoint and a missing identity together', () =>
  expect(found({ enabled: true })).toHaveLength(2));
