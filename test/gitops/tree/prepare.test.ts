import { ApiObject, App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { addRule } from '#lib/gitops/tree/add-rule';
import { Cluster } from '#lib/gitops/tree/cluster';
import {
  declarePlainObjects,
  type IPreparable,
  PreparedConstruct,
  plainObjectsOf,
  prepareTree,
} from '#lib/gitops/tree/prepare';
import { readTree } from '#lib/gitops/tree/read-tree';

const OBJECT = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } };

/** A construct that adds a ConfigMap for each construct that it finds. */
class Census extends Construct implements IPreparable {
  readonly found: string[] = [];

  prepare(): void {
    this.found.push(...this.node.root.node.findAll().map(({ node }) => node.path));
    new ApiObject(this, 'object', OBJECT);
  }
}

test('a construct is prepared once, when all others are there', () => {
  const chart = new Chart(new App(), 'chart');
  const census = new Census(chart, 'census');
  new Construct(chart, 'after');
  for (const _ of [1, 2]) prepareTree(chart.node.root, 'cdk8s');
  expect(census.found).toEqual(['', 'chart', 'chart/census', 'chart/after']);
});

test('what is added meanwhile is prepared, too', () => {
  const chart = new Chart(new App(), 'chart');
  const inner = jest.fn();
  new PreparedConstruct(chart, 'outer', (outer) => void new PreparedConstruct(outer, 'inner', inner));
  prepareTree(chart, 'cdk8s');
  expect(inner).toHaveBeenCalledTimes(1);
});

test('one that needs all others prepared has them prepared first', () => {
  const chart = new Chart(new App(), 'chart');
  const order: string[] = [];
  new PreparedConstruct(chart, 'last', (last) => {
    prepareTree(last.node.root, 'cdk8s');
    order.push('last');
  });
  new PreparedConstruct(chart, 'other', () => order.push('other'));
  prepareTree(chart, 'cdk8s');
  expect(order).toEqual(['other', 'last']);
});

test('an App has its constructs prepared when it validates itself', () => {
  const chart = new Chart(new App(), 'chart');
  new Census(chart, 'census');
  addRule(chart, () => []);
  expect(chart.toJson()).toEqual([OBJECT]);
  expect(chart.toJson()).toEqual([OBJECT]);
});

test('a Platform has them prepared when it reads a cluster', () => {
  const build = (cluster: Cluster) => void new Census(cluster, 'census');
  const { inventory } = buildCluster({ name: 'home', props: {}, build });
  expect(inventory?.folders.flatMap(({ objects }) => objects)).toMatchObject([{ kind: 'ConfigMap', name: 'a' }]);
});

test('one that throws is a finding beside those of others', () => {
  const { findings } = buildCluster({
    name: 'home',
    props: {},
    build: (cluster) => {
      new PreparedConstruct(cluster, 'mine', () => {
        throw new Error('mine');
      });
      addRule(cluster, () => [{ code: 'wrong', what: 'It is wrong', why: 'It breaks', fix: 'mend it' }]);
    },
  });
  const error = expect.stringMatching(/^Error: mine/);
  expect(findings.map(({ problem }) => problem)).toMatchObject([
    { code: 'build-failed', cause: 'preparing', parameters: { error } },
    { code: 'wrong' },
  ]);
});

describe('a construct whose objects are known', () => {
  function known() {
    const cluster = new Cluster(new App(), 'home');
    const census = new Census(cluster, 'census');
    declarePlainObjects(census, () => (census.found.length === 0 ? [{ id: 'plain', object: OBJECT }] : undefined));
    return { cluster, census };
  }

  test('adds none of them for a Platform', () => {
    const { cluster, census } = known();
    prepareTree(cluster, 'Platform');
    expect(readTree(cluster).objects.map(({ path }) => path)).toEqual(['home/census/plain']);
    expect(census.found).toEqual([]);
  });

  test('adds them for cdk8s', () => {
    const { cluster, census } = known();
    prepareTree(cluster, 'cdk8s');
    expect(readTree(cluster, 'cdk8s').objects.map(({ path }) => path)).toEqual(['home/census/object']);
    expect(plainObjectsOf(census)).toBeUndefined();
  });
});
