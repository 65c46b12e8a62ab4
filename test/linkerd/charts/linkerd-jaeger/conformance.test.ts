import { chartConformance } from '../../../support/chart-conformance';
import { chart } from './fixture';

describe('the Jaeger extension of stable-2.14.10 is what its chart renders', () => {
  const { variants, refused, differences } = chartConformance(chart());

  test('for about seventy variants of values, of which the chart refuses none', () => {
    expect(variants).toHaveLength(72);
    expect(refused).toEqual([]);
  });

  test.each(variants)('$name', (variant) => expect(differences(variant)).toEqual([]));
});
