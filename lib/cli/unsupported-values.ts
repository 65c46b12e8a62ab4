import type { Problem } from '../kubernetes/findings/problem';
import { checkValues } from '../kubernetes/schemas/schema';
import type { Values } from '../kubernetes/values';
import { RELEASES } from '../linkerd/releases/known-releases';
import type { PinnedChart } from '../linkerd/releases/pinned-chart';
import { type GivenRelease, releaseOf } from '../linkerd/releases/release';
import type { RenderedChartName } from './chart-names';
import { CLI_FINDINGS } from './findings';
import { chartNamed } from './native-charts';

/** Problems of values, and notes on those that only other releases support. */
export interface CheckedValues {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/**
 * Checks values of a chart as `helm template` gets them. Values that only other releases support are ignored, as Helm does,
 * with a note. Values that no release supports are mistakes.
 */
export function checkGivenValues(
  name: RenderedChartName,
  chart: PinnedChart,
  values: Values,
  release: GivenRelease,
): CheckedValues {
  const found = checkValues(chart, values);
  const unknown = found.filter(isUnknown);
  if (unknown.length === 0) return { problems: found, warnings: [] };
  const knownBy = new Map(othersOf(name, chart).flatMap((other) => readBy(other, unknown, values)));
  return {
    problems: found.filter((problem) => !isUnknown(problem) || !knownBy.has(problem.about)),
    warnings: unknown.flatMap(({ about = '' }) => {
      const known = knownBy.get(about);
      return known === undefined
        ? []
        : [CLI_FINDINGS.valueNotInRelease({ path: about, release: releaseOf(release).version, known }, { about })];
    }),
  };
}

const isUnknown = ({ code }: Problem): boolean => code === 'value-unknown';

/** The chart in other releases, the oldest first: of those with the same values the newest. */
function othersOf(name: RenderedChartName, chart: PinnedChart): readonly PinnedChart[] {
  const charts = RELEASES.toReversed().flatMap(([version]) => chartNamed(name, releaseOf(version))?.pinned ?? []);
  const byValues = new Map(charts.map((one) => [one.valuesOf, one]));
  return [...byValues.values()].filter(({ valuesOf }) => valuesOf !== chart.valuesOf);
}

/** Those of the unknown values that another release's chart reads, each with that release. */
function readBy(
  chart: PinnedChart,
  unknown: readonly Problem[],
  values: Values,
): readonly (readonly [about: string | undefined, release: string])[] {
  const missing = new Set(
    checkValues(chart, values)
      .filter(isUnknown)
      .map(({ about }) => about),
  );
  return unknown.filter(({ about }) => !missing.has(about)).map(({ about }) => [about, chart.linkerdVersion ?? '']);
}
