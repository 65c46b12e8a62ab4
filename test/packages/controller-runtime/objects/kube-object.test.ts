import { objectKey } from '#controller-runtime/objects/kube-object';

test.each([
  [{ name: 'web', namespace: 'shop' }, 'shop/web'],
  [{ name: 'shop' }, 'shop'],
  [{ name: 'system:node', namespace: '' }, 'system:node'],
])('the key of %j is %s', (metadata, key) => expect(objectKey({ metadata })).toBe(key));
