import { App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { Cluster } from '#lib/gitops/tree/cluster';
import { ensureNamespace } from '#lib/gitops/tree/namespace';
import { ruleFindingsIn } from '../../support/findings';

test('components that ask for one namespace get one object, with the labels and annotations of both', () => {
  const chart = Testing.chart();
  ensureNamespace(new Construct(chart, 'a'), 'shop', { labels: { a: '1' } });
  ensureNamespace(new Construct(chart, 'b'), 'shop', { labels: { b: '2' }, annotations: { c: '3' } });
  const [namespace, ...others] = Testing.synth(chart);
  expect(others).toEqual([]);
  expect(namespace.metadata.labels).toEqual({ a: '1', b: '2' });
  expect(namespace.metadata.annotations).toHaveProperty('c', '3');
});

test('Argo CD neither prunes nor deletes it', () => {
  const chart = Testing.chart();
  ensureNamespace(chart, 'shop');
  const [namespace] = Testing.synth(chart);
  expect(namespace.metadata.annotations['argocd.argoproj.io/sync-options']).toBe('Prune=false,Delete=false');
});

test.each(['labels', 'annotations'] as const)('two values for one of its %s are a problem', (field) => {
  const chart = Testing.chart();
  ensureNamespace(chart, 'shop', { [field]: { mode: 'on' } });
  const other = new Construct(chart, 'other');
  ensureNamespace(other, 'shop', { [field]: { mode: 'off' } });
  expect(ruleFindingsIn(other)).toMatchObject([
    {
      code: 'namespace-metadata-contested',
      parameters: { namespace: 'shop', key: 'mode', value: 'off', other: 'on' },
    },
  ]);
});

test('the same value twice is none', () => {
  const chart = Testing.chart();
  ensureNamespace(chart, 'shop', { labels: { mode: 'on' } });
  ensureNamespace(chart, 'shop', { labels: { mode: 'on' } });
  expect(ruleFindingsIn(chart)).toEqual([]);
});

test('there is one for the whole cluster, also where it has charts inside', () => {
  const cluster = new Cluster(new App(), 'home');
  expect(ensureNamespace(new Chart(cluster, 'inner'), 'shop')).toBe(ensureNamespace(cluster, 'shop'));
});
