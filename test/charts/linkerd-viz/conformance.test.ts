import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import defaults from '../../../imports/charts/linkerd-viz/edge-26.8.3.defaults.json';
import { VIZ_DIFFERENCES } from '../../../lib/charts/linkerd-viz/intended-differences';
import type { KubernetesObject } from '../../../lib/kubernetes/kubernetes-object';
import { mergeValues, type Values } from '../../../lib/releases/values';
import { fingerprintOf, objectKey } from '../../../tools/conformance/canonical';
import { describeDifference, renderDifferences } from '../../../tools/conformance/differences';
import {
  type BaseFingerprints,
  expectedFingerprints,
  type VariantFingerprints,
} from '../../../tools/conformance/fingerprint';
import { readRecording } from '../../../tools/conformance/recording';
import { recordedRenders } from '../../support/recorded-renders';
import { checkVizRender, renderViz } from './fixture';

const FINGERPRINTS = join(__dirname, '../../conformance/linkerd-viz-edge-26.8.3.jsonl');
const RECORDED = recordedRenders('linkerd-viz', 'edge-26.8.3');

const [first = '{}', ...lines] = readFileSync(FINGERPRINTS, 'utf8').trim().split('\n');
const base = JSON.parse(first) as BaseFingerprints;
const variants = lines.map((line) => JSON.parse(line) as VariantFingerprints);
const baseValues = mergeValues(defaults as Values, base.baseValues);

/** What the chart fails on because of a bug of its own. */
const FIXED = ['+metricsAPI.proxy.resources'];

const rendered = variants.filter(({ refused }) => !refused);
const refused = variants.filter((variant) => variant.refused && !FIXED.includes(variant.name));

/** What differs from the recorded render: whole objects, or places in them where the recording is at hand. */
function differences(variant: VariantFingerprints, objects: readonly KubernetesObject[]): readonly string[] {
  const expected = expectedFingerprints(base, variant);
  const actual = Object.fromEntries(objects.map((object) => [objectKey(object), fingerprintOf(object)]));
  const keys = Object.keys({ ...expected, ...actual }).filter((key) => expected[key] !== actual[key]);
  if (keys.length === 0 || RECORDED === undefined) return keys;
  const recorded = readRecording(RECORDED).variants.find(({ name }) => name === variant.name)?.objects;
  return recorded === undefined ? keys : renderDifferences(recorded, objects, VIZ_DIFFERENCES).map(describeDifference);
}

describe('Viz of edge-26.8.3 is what its chart renders', () => {
  test('for a hundred and sixty variants of values', () => {
    expect(rendered).toHaveLength(157);
    expect(refused).toHaveLength(3);
  });

  test.each([{ name: 'base', values: {} }, ...rendered])('$name', (variant) => {
    const values = mergeValues(baseValues, variant.values);
    expect(checkVizRender(values)).toEqual([]);
    expect(differences(variant, renderViz(values, { namespace: 'linkerd-viz' }))).toEqual([]);
  });

  test.each(refused)('$name is refused', ({ values }) => {
    expect(checkVizRender(mergeValues(baseValues, values))).not.toEqual([]);
  });

  test.each(variants.filter(({ name }) => FIXED.includes(name)))('$name is rendered all the same', ({ values }) => {
    expect(checkVizRender(mergeValues(baseValues, values))).toEqual([]);
  });
});
