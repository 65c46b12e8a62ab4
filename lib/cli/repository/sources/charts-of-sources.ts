import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import { mergeValues } from '#base/values';
import { CLI_FINDINGS } from '../../findings';
import type { ChartToMigrate } from '../../migrate/migrate';
import type { HelmSource } from './source';

/** The charts of all files, each once, and problems about charts that occur twice. */
export interface ChartsOfSources {
  readonly charts: readonly ChartToMigrate[];
  readonly problems: readonly Problem[];
}

/**
 * Merges the values of files for each chart: overrides over a release.
 *
 * @param over values of options, and values without a chart's name, for the chart that the options name
 */
export function chartsOfSources(sources: readonly HelmSource[], over: ChartToMigrate | undefined): ChartsOfSources {
  const byChart = grouped(
    sources.flatMap((source) => (source.chart === undefined ? [] : [[source.chart, source] as const])),
  );
  const problems: Problem[] = [];
  const charts = [...byChart.values()].map((all): ChartToMigrate => {
    const releases = all.filter(({ isOverlay }) => isOverlay !== true);
    const [first = all[0], second] = releases;
    const chart = first?.chart ?? 'linkerd-control-plane';
    if (first !== undefined && second !== undefined) {
      problems.push(CLI_FINDINGS.releaseRefusedTwice({ chart, place: second.place, other: first.place }));
    }
    const ordered = [...releases, ...all.filter(({ isOverlay }) => isOverlay === true)];
    const values = ordered.reduce((merged, source) => mergeValues(merged, source.values), {});
    return { chart, values, namespace: first?.namespace, version: first?.version, place: first?.place };
  });
  return { charts: over === undefined ? charts : withValues(charts, over), problems };
}

function withValues(charts: readonly ChartToMigrate[], over: ChartToMigrate): readonly ChartToMigrate[] {
  if (!charts.some(({ chart }) => chart === over.chart)) return [...charts, over];
  return charts.map((one) =>
    one.chart === over.chart
      ? { ...one, values: mergeValues(one.values, over.values), namespace: over.namespace ?? one.namespace }
      : one,
  );
}
