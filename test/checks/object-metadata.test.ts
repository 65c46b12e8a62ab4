import { checkMetadata } from '#lib/checks/object-metadata';

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

function check(type: string, metadata: Metadata) {
  const cut = type.lastIndexOf('/');
  const object = { apiVersion: type.slice(0, cut), kind: type.slice(cut + 1), metadata };
  return checkMetadata(object);
}

const CONFIG = { name: 'config.example.com', namespace: 'shop' };

test.each<[string, Metadata]>([
  ['v1/ConfigMap', CONFIG],
  ['v1/Namespace', { name: 'shop' }],
  ['v1/Service', { name: 'web-1', namespace: 'shop' }],
  ['rbac.authorization.k8s.io/v1/ClusterRole', { name: 'system:auth_Delegator' }],
  ['apiregistration.k8s.io/v1/APIService', { name: 'v1alpha1.tap.linkerd.io' }],
  ['v1/ConfigMap', { ...CONFIG, labels: { 'app.kubernetes.io/name': 'Web_1', empty: '' } }],
  ['v1/ConfigMap', { ...CONFIG, annotations: { 'example.com/any': 'Any value: "at all"\n' } }],
])('checkMetadata accepts %s %j', (type, metadata) => expect(check(type, metadata)).toEqual([]));

test.each<[string, Metadata, string, string]>([
  ['v1/ConfigMap', { name: 'Config', namespace: 'shop' }, 'ConfigMap shop/Config', 'metadata.name'],
  ['v1/Namespace', { name: 'shop.eu' }, 'Namespace shop.eu', 'metadata.name'],
  ['v1/Service', { name: 'web.eu', namespace: 'shop' }, 'Service shop/web.eu', 'metadata.name'],
  ['v1/Service', { name: '1web', namespace: 'shop' }, 'Service shop/1web', 'metadata.name'],
  ['rbac.authorization.k8s.io/v1/ClusterRole', { name: 'a/b' }, 'ClusterRole a/b', 'metadata.name'],
  ['rbac.authorization.k8s.io/v1/ClusterRole', { name: '..' }, 'ClusterRole ..', 'metadata.name'],
  ['v1/ConfigMap', { name: 'a', namespace: 'Shop' }, 'ConfigMap Shop/a', 'metadata.namespace'],
  ['v1/ConfigMap', { ...CONFIG, labels: { 'a b': 'c' } }, 'ConfigMap shop/config.example.com', 'label'],
  ['v1/ConfigMap', { ...CONFIG, labels: { a: 'b c' } }, 'ConfigMap shop/config.example.com', 'label a'],
  ['v1/ConfigMap', { ...CONFIG, annotations: { 'a b': 'c' } }, 'ConfigMap shop/config.example.com', 'annotation'],
])('checkMetadata refuses %s %j: %s, %s', (type, metadata, place, field) => {
  expect(check(type, metadata)).toMatchObject([
    { code: 'name-invalid', place, parameters: { field: expect.stringMatching(`^${field}`) } },
  ]);
});

test.each([5, true, null])('checkMetadata refuses the label value %p, which is not a string', (value) => {
  expect(check('example.com/v1/Widget', { ...CONFIG, labels: { a: value as never } })).toMatchObject([
    {
      code: 'metadata-refused',
      cause: 'type',
      place: 'Widget shop/config.example.com',
      parameters: { field: 'label a', value: `${value}` },
    },
  ]);
});
