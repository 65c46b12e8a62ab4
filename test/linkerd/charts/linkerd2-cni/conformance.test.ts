import fc from 'fast-check';
import { mergeValues } from '../../../../lib/kubernetes/values';
import { cniChart } from '../../../../lib/linkerd/charts/linkerd2-cni/chart';
import { releaseOf } from '../../../../lib/linkerd/releases/release';
import { fingerprintOf, objectKey } from '../../../../tools/conformance/canonical';
import { chartConformance } from '../../../support/chart-conformance';
import { chartValues, renderCni } from './fixture';

describe('the CNI plugin of edge-26.8.3 is what its chart renders', () => {
  const { base, variants, refused, differences } = chartConformance(cniChart(releaseOf('edge-26.8.3')));

  test('for about fifty variants of values, of which the chart refuses none', () => {
    expect(variants).toHaveLength(52);
    expect(refused).toEqual([]);
  });

  test.each(variants)('$name', (variant) => expect(differences(variant)).toEqual([]));

  test('values that change different objects do not change what the other ones do', () => {
    // The repair controller wakes values that change nothing without it.
    const active = variants.filter(
      ({ set = {}, values }) => Object.keys(set).length > 0 && values.repairController === undefined,
    );
    const variant = fc.constantFrom(...active);
    fc.assert(
      fc.property(variant, variant, (one, other) => {
        const values = mergeValues(mergeValues(chartValues(base.baseValues), one.values), other.values);
        for (const object of renderCni(values, { namespace: 'linkerd-cni' })) {
          const key = objectKey(object);
          const [ofOne, ofOther] = [one.set?.[key], other.set?.[key]];
          if (ofOne !== undefined && ofOther !== undefined) continue;
          expect(`${key} ${fingerprintOf(object, 'edge-26.8.3')}`).toBe(
            `${key} ${ofOne ?? ofOther ?? base.objects[key]}`,
          );
        }
      }),
    );
  });
});
