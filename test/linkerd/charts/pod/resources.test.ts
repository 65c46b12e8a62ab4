import { resources } from '../../../../lib/linkerd/charts/pod/resources';

test('limits and requests are those that are not empty', () => {
  expect(resources({ cpu: { limit: '', request: '10m' }, 'ephemeral-storage': { limit: '1Gi' } })).toEqual({
    limits: { 'ephemeral-storage': '1Gi' },
    requests: { cpu: '10m' },
  });
});

test('numbers become text, as Kubernetes keeps quantities', () => {
  expect(resources({ cpu: { limit: 2 } })?.limits).toEqual({ cpu: '2' });
});

test('nothing is said where values say nothing', () => {
  expect(resources(undefined)).toBeUndefined();
  expect(resources({ cpu: { limit: '', request: '' }, memory: {} })).toBeUndefined();
});
