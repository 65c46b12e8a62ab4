import { ApiObject, App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { addRule } from '#lib/gitops/tree/add-rule';
import { type IPreparable, PreparedConstruct, prepareTree } from '#lib/gitops/tree/prepare';

const OBJECT = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } };

/** A construct that adds a ConfigMap for each construct that it finds. */
class Census extends Construct implements IPreparable {
  readonly found: string[] = [];

  prepare(): void {
    this.found.push(...this.node.root.node.findAll().map(({ node }) => node.path));
    new ApiObject(this, 'object', OBJECT);
  }
}

test('synth prepares each construct once, after all have been created', () => {
  const chart = new Chart(new App(), 'chart');
  const census = new Census(chart, 'census');
  new Construct(chart, 'after');
  for (const _ of [1, 2]) prepareTree(chart.node.root, 'cdk8s');
  expect(census.found).toEqual(['', 'chart', 'chart/census', 'chart/after']);
});

test('synth reports a construct that throws while it is prepared together with other findings', () => {
  const { findings } = buildCluster({
    name: 'home',
    props: {},
    build: (cluster) => {
      new PreparedConstruct(cluster, 'mine', () => {
        throw new Error('mine');
      });
      addRule(cluster, () => [
        { severity: 'error', code: 'wrong', what: 'It is wrong', why: 'It breaks', fix: 'mend it' },
      ]);
    },
  });
  const error = expect.stringMatching(/^Error: mine/);
  expect(findings.map(({ problem }) => problem)).toMatchObject([
    { code: 'build-failed', cause: 'preparing', parameters: { error } },
    { code: 'wrong' },
  ]);
});
