import { CONFIG_MAPS, DEPLOYMENTS, NAMESPACES } from '#controller-runtime/objects/built-in-resources';
import { collectionPath, objectPath, withOwnKind } from '#controller-runtime/objects/resource';

test.each([
  [CONFIG_MAPS, undefined, '/api/v1/configmaps'],
  [CONFIG_MAPS, 'shop', '/api/v1/namespaces/shop/configmaps'],
  [DEPLOYMENTS, 'shop', '/apis/apps/v1/namespaces/shop/deployments'],
  [NAMESPACES, undefined, '/api/v1/namespaces'],
])('the collection of %j in the namespace %s is at %s', (resource, namespace, path) => {
  expect(collectionPath(resource, namespace)).toBe(path);
});

test.each([
  [DEPLOYMENTS, 'shop/web', undefined, '/apis/apps/v1/namespaces/shop/deployments/web'],
  [DEPLOYMENTS, 'shop/web', 'status', '/apis/apps/v1/namespaces/shop/deployments/web/status'],
  [NAMESPACES, 'shop', undefined, '/api/v1/namespaces/shop'],
  [NAMESPACES, 'a b?c', undefined, '/api/v1/namespaces/a%20b%3Fc'],
])('the resource %j has the object %s with the subresource %s at %s', (resource, key, subresource, path) => {
  expect(objectPath(resource, key, subresource)).toBe(path);
});

test('a resource refuses a key that does not fit its kind', () => {
  expect(() => objectPath(DEPLOYMENTS, 'web')).toThrow("The key of a Deployment is 'namespace/name', got 'web'");
  expect(() => objectPath(NAMESPACES, 'shop/web')).toThrow("The key of a Namespace is 'name', got 'shop/web'");
});

test.each(['', '.', '..', '\ud800', 'a\udc00'])('a resource makes no path for an object with the name %j', (name) => {
  expect(() => objectPath(NAMESPACES, name)).toThrow('No object has the name');
  expect(() => objectPath(DEPLOYMENTS, `shop/${name}`)).toThrow('No object has the name');
  if (name !== '') expect(() => collectionPath(DEPLOYMENTS, name)).toThrow('No object has the name');
});

test('a resource adds its kind to bare metadata', () => {
  const metadata = { name: 'web' };
  const bare = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
  expect(withOwnKind(DEPLOYMENTS, bare)).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', metadata });
});
