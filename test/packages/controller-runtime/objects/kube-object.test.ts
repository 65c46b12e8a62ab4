import { objectKey, splitKey } from '#controller-runtime/objects/kube-object';

test.each([
  [{ name: 'web', namespace: 'shop' }, 'shop/web'],
  [{ name: 'shop' }, 'shop'],
  [{ name: 'system:node', namespace: '' }, 'system:node'],
])('the key of %j is %s', (metadata, key) => {
  expect(objectKey({ metadata })).toBe(key);
});

test.each([
  ['shop/web', { namespace: 'shop', name: 'web' }],
  ['shop', { name: 'shop' }],
])('%s consists of %j', (key, parts) => {
  expect(splitKey(key)).toEqual(parts);
});
