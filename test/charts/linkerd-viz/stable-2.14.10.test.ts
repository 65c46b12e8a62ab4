import { vizChart } from '../../../lib/charts/linkerd-viz/chart';
import { releaseOf } from '../../../lib/releases/release';
import { chartConformance } from '../../support/chart-conformance';

describe('Viz of stable-2.14.10 is what its chart renders', () => {
  const { variants, refused, differences } = chartConformance(vizChart(releaseOf('stable-2.14.10')));

  test('for 150 variants of values, of which the chart refuses four', () => {
    expect(variants).toHaveLength(151);
    expect(refused).toEqual([
      'prometheus.enabled',
      '+metricsAPI.proxy.resources',
      'scenario:external-without-url',
      'scenario:grafana-both',
    ]);
  });

  test.each(variants)('$name', (variant) => {
    // A bug of the chart, which we have not.
    const expected = variant.name === '+metricsAPI.proxy.resources' ? ['the chart refuses'] : [];
    expect(differences(variant)).toEqual(expected);
  });
});
