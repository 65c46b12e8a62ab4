import { withProxyResources } from '#lib/linkerd/charts/linkerd-control-plane/control-plane';

const proxy = { resources: { cpu: { limit: '', request: '10m' }, memory: { limit: '1Gi' } } };

test('resources of one proxy are completed with those of all', () => {
  const own = { cpu: { limit: '2', request: '' } };
  expect(withProxyResources({ proxy, identityProxyResources: own }).identityProxyResources).toEqual({
    cpu: { limit: '2', request: '10m' },
    memory: { limit: '1Gi' },
  });
});

test.each(['destinationProxyResources', 'identityProxyResources', 'proxyInjectorProxyResources'])(
  '%s is completed',
  (key) => {
    expect(withProxyResources({ proxy, [key]: { cores: 2 } })[key]).toEqual({ cores: 2, ...proxy.resources });
  },
);

test('empty resources of one proxy say nothing, and stay empty', () => {
  expect(withProxyResources({ proxy, identityProxyResources: {} }).identityProxyResources).toEqual({});
  expect(withProxyResources({ proxy })).toEqual({ proxy });
});
