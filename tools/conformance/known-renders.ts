import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describeProblem } from '#base/findings/problem';
import { mergeValues } from '#base/values';
import type { Intentions, RenderedChart } from '#linkerd/charts/chart';
import { RENDERED_CHART_NAMES, type RenderedChartName } from '#linkerd/renderers/chart-names';
import { fingerprintOf, objectKey } from './canonical';
import { fixOf } from './comparison';
import {
  type BaseFingerprints,
  type ChartFingerprints,
  chartOf,
  expectedFingerprints,
  type VariantFingerprints,
} from './fingerprint';
import { BASE } from './variants';

/** A file of fingerprints: of a chart, for a group of releases. */
export interface KnownRenders {
  readonly chart: string;
  readonly group: string;
  readonly file: string;
}

/** The folder with fingerprints of renders by Helm. */
export const FINGERPRINTS = join(__dirname, '..', '..', 'test', 'conformance');

/** All files of fingerprints, except those of mixed variants. */
export function knownRenders(): readonly KnownRenders[] {
  return readdirSync(FINGERPRINTS)
    .filter((file) => file.endsWith('.jsonl') && !file.endsWith('-mixed.jsonl'))
    .sort()
    .map((file) => {
      const chart = chartOf(file);
      return { chart, group: basename(file, '.jsonl').slice(chart.length + 1), file: join(FINGERPRINTS, file) };
    });
}

/** Whether a chart has a renderer for any release. */
export function isChartName(chart: string): chart is RenderedChartName {
  return RENDERED_CHART_NAMES.some((name) => name === chart);
}

/** Returns a name as that of a chart that has a renderer. */
export function chartNameOf(chart: string): RenderedChartName {
  if (isChartName(chart)) return chart;
  throw new Error(`There is no renderer of "${chart}", only of ${RENDERED_CHART_NAMES.join(', ')}.`);
}

/** The base as a variant without changes, and all other variants. */
export function allVariants({ variants }: ChartFingerprints): readonly VariantFingerprints[] {
  return [{ name: BASE, values: {} }, ...variants];
}

/**
 * Returns the objects of a variant that a release renders differently from the fingerprints, or why it renders none.
 * Does not check values against the schema of the chart, which may refuse recorded ones.
 */
export function unlikeKnown(
  { pinned, defaults, namespace, native }: RenderedChart,
  base: BaseFingerprints,
  variant: VariantFingerprints,
): readonly string[] {
  const given = mergeValues(base.baseValues, variant.values);
  const values = mergeValues(defaults, given);
  const problems = native.check(values).map(describeProblem);
  if (variant.refused && fixOf(given, native.intended.fixes) === undefined) {
    return problems.length > 0 ? [] : ['the chart refuses'];
  }
  if (variant.refused || problems.length > 0) return problems;
  const expected = expectedFingerprints(base, variant);
  const actual = Object.fromEntries(
    native
      .render(values, { namespace })
      .map((object) => [objectKey(object), fingerprintOf(object, pinned.linkerdVersion ?? '')]),
  );
  return Object.keys({ ...expected, ...actual }).filter(
    (key) => expected[key] !== actual[key] && (key in actual || !isLeftOut(key, native.intended)),
  );
}

function isLeftOut(object: string, { differences }: Intentions): boolean {
  return differences.some((one) => one.path === '^$' && new RegExp(one.object).test(object));
}
