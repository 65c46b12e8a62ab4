import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import defaults from '../../../imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import { CONTROL_PLANE_DIFFERENCES } from '../../../lib/charts/linkerd-control-plane/intended-differences';
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
import { checkControlPlaneRender, renderControlPlane } from './fixture';

const FINGERPRINTS = join(__dirname, '../../conformance/linkerd-control-plane-edge-26.8.3.jsonl');
const RECORDED = recordedRenders('linkerd-control-plane', 'edge-26.8.3');

const [first = '{}', ...lines] = readFileSync(FINGERPRINTS, 'utf8').trim().split('\n');
const base = JSON.parse(first) as BaseFingerprints;
const variants = lines.map((line) => JSON.parse(line) as VariantFingerprints);
const baseValues = mergeValues(defaults as Values, base.baseValues);

/** What differs from the recorded render: whole objects, or places in them where the recording is at hand. */
function differences(variant: VariantFingerprints, rendered: readonly KubernetesObject[]): readonly string[] {
  const expected = expectedFingerprints(base, variant);
  const actual = Object.fromEntries(rendered.map((object) => [objectKey(object), fingerprintOf(object)]));
  const keys = Object.keys({ ...expected, ...actual }).filter((key) => expected[key] !== actual[key]);
  if (keys.length === 0 || RECORDED === undefined) return keys;
  const recorded = readRecording(RECORDED).variants.find(({ name }) => name === variant.name)?.objects;
  return recorded === undefined
    ? keys
    : renderDifferences(recorded, rendered, CONTROL_PLANE_DIFFERENCES).map(describeDifference);
}

describe('the control plane of edge-26.8.3 is what its chart renders', () => {
  test('for more than two hundred variants of values', () => {
    expect(variants.length).toBe(238);
  });

  test.each([{ name: 'base', values: {} }, ...variants.filter(({ refused }) => !refused)])('$name', (variant) => {
    const values = mergeValues(baseValues, variant.values);
    expect(checkControlPlaneRender(values)).toEqual([]);
    expect(differences(variant, renderControlPlane(values, { namespace: 'linkerd' }))).toEqual([]);
  });

  test.each(variants.filter(({ refused }) => refused))('$name is refused', ({ values }) => {
    expect(checkControlPlaneRender(mergeValues(baseValues, values))).not.toEqual([]);
  });
});
