import { orderedKeys } from '#base/key-order';

function order(keys: string, below?: string): string {
  const map = Object.fromEntries(keys.split(' ').map((key) => [key, 1]));
  return orderedKeys(map, below).join(' ');
}

test.each([
  ['apiVersion and kind come first', 'status spec metadata kind apiVersion', 'apiVersion kind metadata spec status'],
  ['name and namespace lead any map', 'namespace kind apiGroup name', 'kind name namespace apiGroup'],
  ['other keys are alphabetical, capitals first', 'b a Z a1 a-b', 'Z a a-b a1 b'],
  ['numbers are ordered as text', '10 9 b', '10 9 b'],
  ['labels and annotations lead only below metadata', 'labels expr annotations alert', 'alert annotations expr labels'],
  ['an image leads only in a container', 'ports image args name', 'name args image ports'],
])('in the order of keys, %s', (_, keys, ordered) => expect(order(keys)).toBe(ordered));

test('keys of metadata are in the order name, namespace, labels, annotations', () => {
  expect(order('finalizers annotations labels namespace name', 'metadata')).toBe(
    'name namespace labels annotations finalizers',
  );
});

test.each(['containers', 'initContainers'])('keys of %s begin with name, image', (below) => {
  expect(order('args env image name', below)).toBe('name image args env');
});

test.each(['', 'a', 'name'])('the order of keys is stable for a map with the keys "%s"', (key) => {
  expect(orderedKeys(key === '' ? {} : { [key]: 1 })).toEqual(key === '' ? [] : [key]);
});
