import { clusterResources, destinations, namespacedResources } from '#lib/gitops/argocd/permissions';
import { chart, cluster, DEFINITION, folder, object } from './inventories';

const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'reader' };

test('an AppProject permits cluster-scoped objects by name', () => {
  const home = cluster(
    'home',
    folder('b', { objects: [object('Namespace', 'b'), object('Namespace', 'kube-system')] }),
  );
  const edge = cluster(
    'edge',
    folder('a', { objects: [object('Namespace', 'a'), object('Namespace', 'kube-system')] }),
  );
  expect(clusterResources([home, edge])).toEqual([
    { group: '', kind: 'Namespace', name: 'a' },
    { group: '', kind: 'Namespace', name: 'b' },
    { group: '', kind: 'Namespace', name: 'kube-system' },
  ]);
});

test('an AppProject permits all objects of the cluster-scoped kinds that charts render', () => {
  const charts = [chart([DEFINITION, 'rbac.authorization.k8s.io/ClusterRole', '/Service'])];
  expect(clusterResources([cluster('home', folder('a', { charts, objects: [role] }))])).toEqual([
    { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
    { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' },
  ]);
});

test('an AppProject permits children of objects on demand', () => {
  const inventory = cluster('home', folder('a', { charts: [chart(['apps/Deployment', 'batch/CronJob'])] }));
  expect(namespacedResources([inventory], true).map(({ kind }) => kind)).toEqual([
    'Pod',
    'Deployment',
    'ReplicaSet',
    'CronJob',
    'Job',
  ]);
});

test('the destinations of an AppProject are the namespaces of the output in their clusters', () => {
  const home = cluster(
    'home',
    folder('linkerd', { charts: [chart(['/Service'], ['kube-system'])], objects: [object('Service', 's', 'shop')] }),
    folder('shop'),
  );
  const edge = { ...cluster('edge', folder('linkerd')), destination: { name: 'edge-1' } };
  expect(destinations([home, edge], false)).toEqual([
    { server: 'https://home.example.com:6443', namespace: 'kube-system' },
    { server: 'https://home.example.com:6443', namespace: 'linkerd' },
    { server: 'https://home.example.com:6443', namespace: 'shop' },
    { name: 'edge-1', namespace: 'linkerd' },
  ]);
});

test('the AppProject of a fleet lists its clusters by name as destinations', () => {
  expect(destinations([cluster('home', folder('linkerd'))], true)).toEqual([{ name: 'home', namespace: 'linkerd' }]);
});
