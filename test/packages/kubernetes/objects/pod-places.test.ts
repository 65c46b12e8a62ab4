import { isElastic, isNamespace, podPlaces } from '#kubernetes/objects/pod-places';

test.each([
  ['v1', 'Pod', ''],
  ['v1', 'ReplicationController', '/spec/template'],
  ['apps/v1', 'Deployment', '/spec/template'],
  ['apps/v1', 'StatefulSet', '/spec/template'],
  ['apps/v1', 'DaemonSet', '/spec/template'],
  ['apps/v1', 'ReplicaSet', '/spec/template'],
  ['batch/v1', 'Job', '/spec/template'],
  ['batch/v1', 'CronJob', '/spec/jobTemplate/spec/template'],
  ['argoproj.io/v1alpha1', 'Rollout', '/spec/template'],
  ['kibana.k8s.elastic.co/v1', 'Kibana', '/spec/podTemplate'],
  ['beat.k8s.elastic.co/v1beta1', 'Beat', '/spec/daemonSet/podTemplate'],
])('podPlaces finds the pods of %s %s', (apiVersion, kind, template) =>
  expect(podPlaces({ apiVersion, kind })).toEqual([{ metadata: `${template}/metadata`, spec: `${template}/spec` }]),
);

test('podPlaces finds only metadata in a Namespace', () =>
  expect(podPlaces({ apiVersion: 'v1', kind: 'Namespace' })).toEqual([{ metadata: '/metadata' }]));

test('podPlaces finds the pods of each node set of Elasticsearch', () => {
  const object = { apiVersion: 'elasticsearch.k8s.elastic.co/v1', kind: 'Elasticsearch', spec: { nodeSets: [{}, {}] } };
  expect(podPlaces(object).map(({ metadata }) => metadata)).toEqual([
    '/spec/nodeSets/0/podTemplate/metadata',
    '/spec/nodeSets/1/podTemplate/metadata',
  ]);
});

test('podPlaces finds the pods of a Beat with a Deployment', () => {
  const object = { apiVersion: 'beat.k8s.elastic.co/v1beta1', kind: 'Beat', spec: { deployment: {} } };
  expect(podPlaces(object)[0]?.metadata).toBe('/spec/deployment/podTemplate/metadata');
});

test.each([
  ['v1', 'Service'],
  ['serving.knative.dev/v1', 'Service'],
  ['example.com/v1', 'Deployment'],
  ['elasticsearch.k8s.elastic.co/v1', 'Elasticsearch'],
])('podPlaces finds no pods in %s %s', (apiVersion, kind) => expect(podPlaces({ apiVersion, kind })).toEqual([]));

test('isNamespace and isElastic compare the API group', () => {
  expect(isNamespace({ apiVersion: 'v1', kind: 'Namespace' })).toBe(true);
  expect(isNamespace({ apiVersion: 'example.com/v1', kind: 'Namespace' })).toBe(false);
  expect(isElastic({ apiVersion: 'kibana.k8s.elastic.co/v1', kind: 'Kibana' })).toBe(true);
  expect(isElastic({ apiVersion: 'apps/v1', kind: 'Deployment' })).toBe(false);
});
