import { checkMetadata } from '../../../lib/kubernetes/checks/object-metadata';

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

function check(type: string, metadata: Metadata): readonly string[] {
  const cut = type.lastIndexOf('/');
  const object = { apiVersion: type.slice(0, cut), kind: type.slice(cut + 1), metadata };
  return checkMetadata(object).map(({ what }) => what);
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
])('%s %j is fine', (type, metadata) => {
  expect(check(type, metadata)).toEqual([]);
});

test.each<[string, Metadata, string]>([
  ['v1/ConfigMap', { name: 'Config', namespace: 'shop' }, 'metadata.name of ConfigMap shop/Config'],
  ['v1/Namespace', { name: 'shop.eu' }, 'metadata.name of Namespace shop.eu'],
  ['v1/Service', { name: 'web.eu', namespace: 'shop' }, 'metadata.name of Service shop/web.eu'],
  ['v1/Service', { name: '1web', namespace: 'shop' }, 'metadata.name of Service shop/1web'],
  ['rbac.authorization.k8s.io/v1/ClusterRole', { name: 'a/b' }, 'metadata.name of ClusterRole a/b'],
  ['rbac.authorization.k8s.io/v1/ClusterRole', { name: '..' }, 'metadata.name of ClusterRole ..'],
  ['v1/ConfigMap', { name: 'a', namespace: 'Shop' }, 'metadata.namespace of ConfigMap Shop/a'],
  ['v1/ConfigMap', { ...CONFIG, labels: { 'a b': 'c' } }, 'label of ConfigMap shop/config.example.com'],
  ['v1/ConfigMap', { ...CONFIG, labels: { a: 'b c' } }, 'label a of ConfigMap shop/config.example.com'],
  ['v1/ConfigMap', { ...CONFIG, annotations: { 'a b': 'c' } }, 'annotation of ConfigMap shop/config.example.com'],
])('%s %j is refused', (type, metadata, field) => {
  expect(check(type, metadata)).toEqual([expect.stringContaining(field)]);
});

test.each([5, true, null])('a label of %p is refused, as it is no text', (value) => {
  expect(check('example.com/v1/Widget', { ...CONFIG, labels: { a: value as never } })).toEqual([
    `label a of Widget shop/config.example.com is ${value}, which is not a string`,
  ]);
});
