import { withProxyResources } from '#linkerd/renderers/linkerd-control-plane/control-plane';

const proxy = { resources: { cpu: { limit: '', request: '10m' }, memory: { limit: '1Gi' } } };

test('withProxyResources completes the resources of one proxy with those of all proxies', () => {
  const own = { cpu: { limit: '2', request: '' } };
  expect(withProxyResources({ proxy, identityProxyResources: own }).identityProxyResources).toEqual({
    cpu: { limit: '2', request: '10m' },
    memory: { limit: '1Gi' },
  });
});

test.each(['destinationProxyResources', 'identityProxyResources', 'proxyInjectorProxyResources'])(
  'withProxyResources completes %s',
  (key) => expect(withProxyResources({ proxy, [key]: { cores: 2 } })[key]).toEqual({ cores: 2, ...proxy.resources }),
);

test('withProxyResources leaves empty resources of one proxy empty', () => {
  expect(withProxyResources({ proxy, identityProxyResources: {} }).identityProxyResources).toEqual({});
  expect(withProxyResources({ proxy })).toEqual({ proxy });
});
