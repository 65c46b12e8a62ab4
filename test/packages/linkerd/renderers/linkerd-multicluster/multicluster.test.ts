import type { Service } from '#imports/kubernetes';
import { renderChart } from '#lib/cli/render-chart';
import { MULTICLUSTER } from '#linkerd/releases/groups/multicluster';
import { chart, find, linksTo, NEWEST, render } from './fixture';

test('the Service of the gateway has the node ports of values, and a health check port if the chart has one', () => {
  const values = { gateway: { healthCheckNodePort: 30500, probe: { nodePort: 30491 } } };
  const spec = (templates = NEWEST) => (find(render(values, templates), 'Service', 'linkerd-gateway') as Service).spec;
  expect(spec()).toMatchObject({ healthCheckNodePort: 30500, ports: [{}, { nodePort: 30491 }] });
  expect(spec(MULTICLUSTER['edge-26.4.4'].templates)).not.toHaveProperty('healthCheckNodePort');
});

test('renderChart refuses linkerd-multicluster for 2.14', () => {
  const result = renderChart({ chart: 'linkerd-multicluster', release: 'stable-2.14.10', values: {} });
  expect(result).toMatchObject({ problems: [{ code: 'chart-not-in-release' }] });
});

test('linkerd-multicluster requires the Secrets of its links and images, and provides ServiceAccounts', () => {
  const { requires, provides, defaults } = chart();
  const values = { ...defaults, ...linksTo('west'), imagePullSecrets: [{ name: 'pull' }] };
  expect(requires(values, 'm')).toEqual([
    { kind: 'Secret', namespace: 'm', name: 'cluster-credentials-west' },
    { kind: 'Secret', namespace: 'm', name: 'pull' },
  ]);
  expect(provides(values, 'm').map(({ name }) => name)).toContain('controller-west');
});
