import { App, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { Cluster, clusterDomainOf } from '#lib/gitops/tree/cluster';
import { declarationsOf } from '#lib/gitops/tree/references';

test('has the domain that most clusters have, unless it says otherwise', () => {
  expect(clusterDomainOf(new Cluster(new App(), 'home'))).toBe('cluster.local');
  expect(clusterDomainOf(new Construct(new Cluster(new App(), 'home', { domain: 'a.example' }), 'x'))).toBe(
    'a.example',
  );
  expect(clusterDomainOf(Testing.chart())).toBe('cluster.local');
});

test('declares what exists outside', () => {
  const external = [{ kind: 'Namespace', name: 'monitoring' }] as const;
  expect(declarationsOf(new Cluster(new App(), 'home', { external }))).toEqual([{ external }]);
});
