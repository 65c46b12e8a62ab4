import type { Values } from '#base/values';
import { checkTracing } from '#lib/linkerd/charts/tracing-rules';

const found = (values: Values) => checkTracing(values);
const collector = {
  endpoint: 'tempo.tracing:4317',
  meshIdentity: { serviceAccountName: 'tempo', namespace: 'tracing' },
};

test('proxies need an endpoint and an identity', () => {
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

test('a partial identity of a collector is refused', () => {
  const meshIdentity = { serviceAccountName: 'tempo' };
  expect(found({ proxy: { tracing: { enabled: true, collector: { ...collector, meshIdentity } } } })).toMatchObject([
    { code: 'injected-value-missing', cause: 'trace-identity', parameters: { missing: 'namespace' } },
  ]);
});

test('controllers need an endpoint, of their own or of the proxies', () => {
  const controller = { tracing: { enabled: true } };
  expect(found({ controller })).toHaveLength(1);
  expect(found({ controller, proxy: { tracing: { collector } } })).toEqual([]);
  expect(found({ controller: { tracing: { enabled: true, collector } } })).toEqual([]);
});
