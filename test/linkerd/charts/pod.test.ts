import { livenessProbe, readinessProbe } from '../../../lib/linkerd/charts/pod/probes';
import { resources } from '../../../lib/linkerd/charts/pod/resources';

// Values that no comparison with Helm has.

test('a timeout of zero, which the API server refuses, is left to its default', () => {
  expect(livenessProbe({ timeoutSeconds: 0 }, 9990)).not.toHaveProperty('timeoutSeconds');
  expect(readinessProbe({ timeoutSeconds: 0 }, 9990)).not.toHaveProperty('timeoutSeconds');
});

test('numbers become text, as Kubernetes keeps quantities', () => {
  expect(resources({ cpu: { limit: 2 } })?.limits).toEqual({ cpu: '2' });
});
