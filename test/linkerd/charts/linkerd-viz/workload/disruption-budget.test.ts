import { render } from '../fixture';

const COMPONENTS = { metricsAPI: 'metrics-api', tap: 'tap', tapInjector: 'tap-injector', dashboard: 'web' };

const budgets = (values: Parameters<typeof render>[0]) =>
  render(values).filter(({ kind }) => kind === 'PodDisruptionBudget');

test.each(Object.entries(COMPONENTS))('%s has one where it has several replicas', (key, name) => {
  const values = { enablePodDisruptionBudget: true, [key]: { replicas: 2 } };
  expect(budgets(values).map(({ metadata }) => metadata.name)).toEqual([name]);
  expect(budgets(values)[0]).toMatchObject({
    metadata: { labels: { 'linkerd.io/extension': 'viz', component: name, namespace: 'linkerd-viz' } },
    spec: { maxUnavailable: 1, selector: { matchLabels: { 'linkerd.io/extension': 'viz', component: name } } },
  });
});

test('none where replicas are single, or budgets are off', () => {
  expect(budgets({ enablePodDisruptionBudget: true })).toEqual([]);
  expect(budgets({ tap: { replicas: 3 } })).toEqual([]);
});
