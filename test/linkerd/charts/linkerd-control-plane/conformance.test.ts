import { controlPlaneChart } from '../../../../lib/linkerd/charts/linkerd-control-plane/chart';
import { releaseOf } from '../../../../lib/linkerd/releases/release';
import { chartConformance } from '../../../support/chart-conformance';

describe('the control plane of edge-26.8.3 is what its chart renders', () => {
  const { variants, fixed, differences } = chartConformance(controlPlaneChart(releaseOf('edge-26.8.3')));

  test('for more than two hundred variants of values, of which it fails on none by mistake', () => {
    expect(variants.length).toBe(240);
    expect(fixed).toEqual([]);
  });

  test.each(variants)('$name', (variant) => expect(differences(variant)).toEqual([]));
});
