import type { Values } from '#base/values';
import { checkTracing } from '#linkerd/renderers/tracing-rules';

const found = (values: Values) => checkTracing(values);
const collector = {
  endpoint: 'tempo.tracing:4317',
  meshIdentity: { serviceAccountName: 'tempo', namespace: 'tracing' },
};

test('checkTracing requires an endpoint and an identity for traces of proxies', () => {
  expect(found({ proxy: { tracing: { enabled: true, collector: { endpoint: ' ' } } } })).toMatchObject([
    {
      code: 'injected-value-missing',
      cause: 'trace-collector',
      parameters: { endpoints: 'proxy.tracing.collector.endpoint' },
    },
    {
      code: 'injected-value-missing',
      cause: 'trace-identity',
      parameters: { missing: 'serviceAccountName and namespace' },
    },
  ]);
});

test('checkTracing refuses a partial identity of a collector', () => {
  const meshIdentity = { serviceAccountName: 'tempo' };
  expect(found({ proxy: { tracing: { enabled: true, collector: { ...collector, meshIdentity } } } })).toMatchObject([
    { code: 'injected-value-missing', cause: 'trace-identity', parameters: { missing: 'namespace' } },
  ]);
});

test('checkTracing requires an endpoint for traces of controllers, their own or the proxies’', () => {
  const controller = { tracing: { enabled: true } };
  expect(found({ controller })).toHaveLength(1);
  expect(found({ controller, proxy: { tracing: { collector } } })).toEqual([]);
  expect(found({ controller: { tracing: { enabled: true, collector } } })).toEqual([]);
});
