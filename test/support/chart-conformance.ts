import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chart } from '../../lib/charts/chart';
import { mergeValues, type Values } from '../../lib/releases/values';
import { fingerprintOf, objectKey } from '../../tools/conformance/canonical';
import {
  type BaseFingerprints,
  expectedFingerprints,
  type VariantFingerprints,
} from '../../tools/conformance/fingerprint';

/** The differences of one variant from its recording: keys of objects, or why nothing was rendered. */
type VariantDifferences = readonly string[];

/** The fingerprints of a chart's renders, and the comparison with what its renderer makes of the same values. */
export interface ChartConformance {
  /** All variants, the base first. */
  readonly variants: readonly VariantFingerprints[];
  /** The names of variants that the chart refuses. */
  readonly refused: readonly string[];
  differences(variant: VariantFingerprints): VariantDifferences;
}

/** Reads the fingerprints of a chart's renders. */
export function chartConformance({ pinned, defaults, namespace, native }: Chart): ChartConformance {
  if (native === undefined) throw new Error(`nothing renders ${pinned.name}`);
  const file = join(__dirname, `../conformance/${pinned.name}-${pinned.valuesOf}.jsonl`);
  const [first = '{}', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const base = JSON.parse(first) as BaseFingerprints;
  const variants = lines.map((line) => JSON.parse(line) as VariantFingerprints);
  const allValues = (values: Values) => mergeValues(mergeValues(defaults, base.baseValues), values);
  return {
    variants: [{ name: 'base', values: {} }, ...variants],
    refused: variants.filter(({ refused }) => refused).map(({ name }) => name),
    differences(variant) {
      const values = allValues(variant.values);
      const problems = native.check(values).map(({ what }) => what);
      if (variant.refused) return problems.length > 0 ? [] : ['the chart refuses'];
      if (problems.length > 0) return problems;
      const expected = expectedFingerprints(base, variant);
      const rendered = native.render(values, { namespace });
      const actual = Object.fromEntries(rendered.map((object) => [objectKey(object), fingerprintOf(object)]));
      return Object.keys({ ...expected, ...actual }).filter((key) => expected[key] !== actual[key]);
    },
  };
}
