import { App, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { Cluster, clusterDomainOf } from '#lib/gitops/tree/cluster';
import { declarationsOf } from '#lib/gitops/tree/references';

test('a Cluster has the default domain, unless its props name another', () => {
  expect(clusterDomainOf(new Cluster(new App(), 'home'))).toBe('cluster.local');
  expect(clusterDomainOf(new Construct(new Cluster(new App(), 'home', { domain: 'a.example' }), 'x'))).toBe(
    'a.example',
  );
  expect(clusterDomainOf(Testing.chart())).toBe('cluster.local');
});

test('a Cluster declares objects that exist outside of the output', () => {
  const external = [{ kind: 'Namespace', name: 'monitoring' }] as const;
  expect(declarationsOf(new Cluster(new App(), 'home', { external }))).toEqual([{ external }]);
});
