import { vizChart } from '../../../../lib/linkerd/charts/linkerd-viz/chart';
import { releaseOf } from '../../../../lib/linkerd/releases/release';
import { chartConformance } from '../../../support/chart-conformance';

describe('Viz of stable-2.14.10 is what its chart renders', () => {
  const { variants, refused, fixed, differences } = chartConformance(vizChart(releaseOf('stable-2.14.10')));

  test('for 150 variants of values, of which the chart refuses four', () => {
    expect(variants).toHaveLength(151);
    expect(refused).toEqual([
      'prometheus.enabled',
      '+metricsAPI.proxy.resources',
      'scenario:external-without-url',
      'scenario:grafana-both',
    ]);
  });

  test('but for what the chart fails on because of a bug of its own', () => {
    expect(fixed).toEqual(['+metricsAPI.proxy.resources']);
  });

  test.each(variants)('$name', (variant) => expect(differences(variant)).toEqual([]));
});
