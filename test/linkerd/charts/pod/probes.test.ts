import { livenessProbe, readinessProbe } from '../../../../lib/linkerd/charts/pod/probes';

test('probes time out when values say', () => {
  expect(livenessProbe({ timeoutSeconds: 3 }, 9990).timeoutSeconds).toBe(3);
  expect(readinessProbe({ timeoutSeconds: 3 }, 9990).timeoutSeconds).toBe(3);
});

test('a timeout of zero, which the API server refuses, is left to its default', () => {
  expect(livenessProbe({ timeoutSeconds: 0 }, 9990)).not.toHaveProperty('timeoutSeconds');
  expect(readinessProbe({}, 9990)).not.toHaveProperty('timeoutSeconds');
});
