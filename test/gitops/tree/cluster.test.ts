import { App, Chart, Testing } from 'cdk8s';
import { ConfigMap } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { Cluster, clusterDomainOf } from '#lib/gitops/tree/cluster';
import { declarationsOf } from '#lib/gitops/tree/references';

test('is found from everything below it', () => {
  const cluster = new Cluster(new App(), 'home');
  expect(Cluster.find(new Construct(new Chart(cluster, 'inner'), 'deep'))).toBe(cluster);
  expect(Cluster.find(Testing.chart())).toBeUndefined();
});

test('has the domain that most clusters have, unless it says otherwise', () => {
  expect(clusterDomainOf(new Cluster(new App(), 'home'))).toBe('cluster.local');
  expect(clusterDomainOf(new Construct(new Cluster(new App(), 'home', { domain: 'a.example' }), 'x'))).toBe(
    'a.example',
  );
  expect(clusterDomainOf(Testing.chart())).toBe('cluster.local');
});

test('is the one that Argo CD runs in, unless it says otherwise', () => {
  expect(new Cluster(new App(), 'home').destination).toEqual({ server: 'https://kubernetes.default.svc' });
  expect(new Cluster(new App(), 'b', { destination: { name: 'far' } }).destination).toEqual({ name: 'far' });
});

test('declares what exists outside', () => {
  const external = [{ kind: 'Namespace', name: 'monitoring' }] as const;
  expect(declarationsOf(new Cluster(new App(), 'home', { external }))).toEqual([{ external }]);
});

test('gives cdk8s-plus objects names without hashes', () => {
  expect(new ConfigMap(new Cluster(new App(), 'home'), 'settings').name).toBe('home-settings');
});
