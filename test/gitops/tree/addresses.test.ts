import { App } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-28';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { Cluster } from '#lib/gitops/tree/cluster';
import { Addresses, readTree } from '#lib/gitops/tree/read-tree';
import { component } from '../../support/cluster-fixture';

const LABEL = 'cdk8s.io/metadata.addr';

function workload(cluster: Cluster, name: string): Deployment {
  return new Deployment(cluster, name, {
    metadata: { name, namespace: 'shop' },
    containers: [{ image: 'registry.example.com/app:1.0.0', portNumber: 8080 }],
  });
}

function checkedIn(name: string) {
  const cluster = new Cluster(new App(), name);
  for (const id of ['api', 'web']) workload(cluster, id).exposeViaService({ name: id });
  return readTree(cluster).objects.map(({ checkedAs }) => checkedAs);
}

test('synth checks equal workloads of two clusters once', () => {
  const [one, other] = [checkedIn('one'), checkedIn('other')];
  expect(one).toHaveLength(4);
  for (const [index, object] of one.entries()) {
    expect(object).toBeDefined();
    expect(other[index]).toBe(object);
  }
});

test('synth distinguishes different workloads of a cluster', () => {
  const addresses = checkedIn('one').map((object) => {
    const { selector } = (object?.spec ?? {}) as { readonly selector?: Readonly<Record<string, unknown>> };
    return (selector?.matchLabels as typeof selector)?.[LABEL] ?? selector?.[LABEL];
  });
  expect(new Set(addresses).size).toBe(2);
  expect(addresses.every((address) => typeof address === 'string')).toBe(true);
});

test('synth normalizes only objects with a construct address in a shared cluster', () => {
  const metadata = { name: 'web', labels: { [LABEL]: 'web' } };
  expect(new Addresses().without({ apiVersion: 'v1', kind: 'Pod', metadata })).toBeUndefined();
  const { objects } = readTree(component(new Cluster(new App(), 'one'), 'shop').node.root as App);
  expect(objects.map(({ checkedAs }) => checkedAs)).toEqual([undefined]);
});

test('synth reports a label with a value in place of an address that API servers refuse', () => {
  const { findings } = buildCluster({
    name: 'one',
    props: {},
    build: (cluster) => {
      component(cluster, 'shop');
      workload(cluster, 'web').metadata.addLabel(LABEL, 'not an address');
    },
  });
  expect(findings.map(({ problem }) => problem.what)).toEqual([expect.stringContaining('not an address')]);
});
