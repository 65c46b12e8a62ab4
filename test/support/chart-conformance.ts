import { mergeValues } from '#base/values';
import { type Chart, isRendered, type RenderedChart } from '#linkerd/charts/chart';
import { fixOf } from '#tools/conformance/comparison';
import { describeDifference, renderDifferences } from '#tools/conformance/differences';
import {
  type BaseFingerprints,
  fingerprintFile,
  readFingerprints,
  type VariantFingerprints,
} from '#tools/conformance/fingerprint';
import { allVariants, FINGERPRINTS, unlikeKnown } from '#tools/conformance/known-renders';
import { readRecording } from '#tools/conformance/recording';
import { recordedRenders } from './recorded-renders';

/** The fingerprints of a chart's renders by Helm, and their comparison with the native renderer's. */
export interface ChartConformance {
  readonly base: BaseFingerprints;
  /** All variants, the base first. */
  readonly variants: readonly VariantFingerprints[];
  /** The names of variants that the chart refuses. */
  readonly refused: readonly string[];
  /** The names of refused variants that the native renderer renders, since the chart refuses them by mistake. */
  readonly fixed: readonly string[];
  /**
   * The differences of a variant from Helm's render: whole objects, or places in them if the recording is on disk; or
   * the reason why there is nothing to compare.
   */
  differences(variant: VariantFingerprints): readonly string[];
}

/** Reads the fingerprints of a chart's renders. */
export function chartConformance(chart: Chart): ChartConformance {
  if (!isRendered(chart)) throw new Error(`nothing renders ${chart.pinned.name}`);
  const { pinned, native } = chart;
  const { base, variants } = readFingerprints(fingerprintFile(FINGERPRINTS, pinned.name, pinned.linkerdVersion ?? ''));
  const refused = variants.filter((variant) => variant.refused);
  const isByMistake = ({ values }: VariantFingerprints) => fixOf(values, native.intended.fixes) !== undefined;
  return {
    base,
    variants: allVariants({ base, variants }),
    refused: refused.map(({ name }) => name),
    fixed: refused.filter(isByMistake).map(({ name }) => name),
    differences(variant) {
      const unlike = unlikeKnown(chart, base, variant);
      return unlike.length === 0 ? unlike : (placesIn(chart, base, variant) ?? unlike);
    },
  };
}

/** The places that differ from the recorded render, if that is on disk. */
function placesIn(
  { pinned, defaults, namespace, native }: RenderedChart,
  { baseValues }: BaseFingerprints,
  { name, values }: VariantFingerprints,
): readonly string[] | undefined {
  const folder = recordedRenders(pinned.name, pinned.linkerdVersion ?? '');
  const recorded = folder && readRecording(folder).variants.find((variant) => variant.name === name)?.objects;
  if (!recorded) return undefined;
  const objects = native.render(mergeValues(mergeValues(defaults, baseValues), values), { namespace });
  return renderDifferences(recorded, objects, native.intended.differences).map(describeDifference);
}
