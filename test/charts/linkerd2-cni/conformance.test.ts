import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { CNI_DIFFERENCES } from '../../../lib/charts/linkerd2-cni/intended-differences';
import { checkCniRender } from '../../../lib/charts/linkerd2-cni/render-rules';
import type { KubernetesObject } from '../../../lib/kubernetes/kubernetes-object';
import { mergeValues } from '../../../lib/releases/values';
import { fingerprintOf, objectKey } from '../../../tools/conformance/canonical';
import { describeDifference, renderDifferences } from '../../../tools/conformance/differences';
import {
  type BaseFingerprints,
  expectedFingerprints,
  type VariantFingerprints,
} from '../../../tools/conformance/fingerprint';
import { readRecording } from '../../../tools/conformance/recording';
import { recordedRenders } from '../../support/recorded-renders';
import { chartValues, NEWEST, renderCni } from './fixture';

const FINGERPRINTS = join(__dirname, '../../conformance/linkerd2-cni-edge-26.8.3.jsonl');
const RECORDED = recordedRenders('linkerd2-cni', 'edge-26.8.3');

const [first = '{}', ...lines] = readFileSync(FINGERPRINTS, 'utf8').trim().split('\n');
const base = JSON.parse(first) as BaseFingerprints;
const variants = lines.map((line) => JSON.parse(line) as VariantFingerprints);
const baseValues = chartValues(base.baseValues);

/** What differs from the recorded render: whole objects, or places in them where the recording is at hand. */
function differences(variant: VariantFingerprints, rendered: readonly KubernetesObject[]): readonly string[] {
  const expected = expectedFingerprints(base, variant);
  const actual = Object.fromEntries(rendered.map((object) => [objectKey(object), fingerprintOf(object)]));
  const keys = Object.keys({ ...expected, ...actual }).filter((key) => expected[key] !== actual[key]);
  if (keys.length === 0 || RECORDED === undefined) return keys;
  const recorded = readRecording(RECORDED).variants.find(({ name }) => name === variant.name)?.objects;
  return recorded === undefined ? keys : renderDifferences(recorded, rendered, CNI_DIFFERENCES).map(describeDifference);
}

describe('the CNI plugin of edge-26.8.3 is what its chart renders', () => {
  test('for about fifty variants of values, of which the chart refuses none', () => {
    expect(variants).toHaveLength(51);
    expect(variants.filter(({ refused }) => refused)).toEqual([]);
  });

  test.each([{ name: 'base', values: {} }, ...variants])('$name', (variant) => {
    const values = mergeValues(baseValues, variant.values);
    expect(checkCniRender(values, NEWEST)).toEqual([]);
    expect(differences(variant, renderCni(values, { namespace: 'linkerd-cni' }))).toEqual([]);
  });

  test('values that change different objects do not change what the other ones do', () => {
    // The repair controller wakes values that change nothing without it.
    const active = variants.filter(
      ({ set = {}, values }) => Object.keys(set).length > 0 && values.repairController === undefined,
    );
    const variant = fc.constantFrom(...active);
    fc.assert(
      fc.property(variant, variant, (one, other) => {
        const values = mergeValues(mergeValues(baseValues, one.values), other.values);
        for (const object of renderCni(values, { namespace: 'linkerd-cni' })) {
          const key = objectKey(object);
          const [ofOne, ofOther] = [one.set?.[key], other.set?.[key]];
          if (ofOne !== undefined && ofOther !== undefined) continue;
          expect(`${key} ${fingerprintOf(object)}`).toBe(`${key} ${ofOne ?? ofOther ?? base.objects[key]}`);
        }
      }),
    );
  });
});
