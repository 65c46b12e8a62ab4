import { vizChart } from '../../../../lib/linkerd/charts/linkerd-viz/chart';
import { releaseOf } from '../../../../lib/linkerd/releases/release';
import { chartConformance } from '../../../support/chart-conformance';

describe('Viz of edge-26.8.3 is what its chart renders', () => {
  const { variants, refused, fixed, differences } = chartConformance(vizChart(releaseOf('edge-26.8.3')));

  test('for a hundred and sixty variants of values', () => {
    expect(variants.length - refused.length).toBe(158);
    expect(refused).toHaveLength(4);
  });

  test('but for what the chart fails on because of a bug of its own', () => {
    expect(fixed).toEqual(['+metricsAPI.proxy.resources']);
  });

  test.each(variants)('$name', (variant) => expect(differences(variant)).toEqual([]));
});
