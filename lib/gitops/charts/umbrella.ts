import { parse } from 'yaml';
import type { Values } from '../../kubernetes/values';
import { stringifyYaml } from '../../kubernetes/yaml';
import type { PinnedChart } from '../../linkerd/releases/pinned-chart';

/** One dependency of an umbrella chart. */
export interface ChartWithValues {
  readonly chart: PinnedChart;
  readonly values: Values;
}

/**
 * The files of an umbrella chart: `Chart.yaml` with its dependencies at exact versions, and `values.yaml`, in which each
 * dependency's values stand under its name. A null among them removes that chart's default, so nulls stay.
 *
 * The umbrella has the version of its last dependency: what the others are there for.
 */
export function umbrellaFiles(
  name: string,
  dependencies: readonly [ChartWithValues, ...ChartWithValues[]],
): Readonly<Record<'Chart.yaml' | 'values.yaml', string>> {
  const charts = dependencies.map(({ chart }) => chart).sort(byName);
  const [main] = dependencies.slice(-1);
  return {
    'Chart.yaml': stringifyYaml({
      apiVersion: 'v2',
      name,
      description: `${charts.map((chart) => chart.name).join(', ')} and the manifests that go with it`,
      type: 'application',
      // Chart.yaml wants SemVer, which has no leading "v".
      version: main?.chart.version.replace(/^v/, ''),
      dependencies: charts.map(({ name, version, repository }) => ({ name, version, repository })),
    }),
    'values.yaml': stringifyYaml(
      Object.fromEntries(
        [...dependencies].sort((a, b) => byName(a.chart, b.chart)).map(({ chart, values }) => [chart.name, values]),
      ),
    ),
  };
}

/** The dependencies in a `Chart.yaml` that `umbrellaFiles` made. */
export function dependenciesIn(chartYaml: string): readonly Pick<PinnedChart, 'name' | 'version'>[] {
  const { dependencies = [] } = (parse(chartYaml) ?? {}) as { dependencies?: Pick<PinnedChart, 'name' | 'version'>[] };
  return dependencies;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
