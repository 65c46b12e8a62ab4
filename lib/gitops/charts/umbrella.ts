import { parse } from 'yaml';
import type { Values } from '#base/values';
import { checkDepth } from '#base/yaml-documents';
import { stringifyYaml } from '#base/yaml-writer';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';

/** One dependency of an umbrella chart. */
export interface ChartWithValues {
  readonly chart: PinnedChart;
  readonly values: Values;
}

/** The file by which a folder sets how Argo CD renders it. */
export const ARGOCD_SOURCE = '.argocd-source.yaml';

/**
 * Returns the files of an umbrella chart: `Chart.yaml` with its dependencies at exact versions, and `values.yaml`, with
 * each dependency's values under its name. Nulls are kept, because they remove defaults of a chart.
 *
 * The umbrella has the version of its last dependency.
 *
 * A third file sets the release name, because the ApplicationSet may be synced at another time. With the name of the
 * Application as release name, Services would select pods that do not exist (argo-cd v3.5.1, reposerver/repository,
 * mergeSourceParameters).
 */
export function umbrellaFiles(
  name: string,
  dependencies: readonly [ChartWithValues, ...ChartWithValues[]],
): Readonly<Record<'Chart.yaml' | 'values.yaml' | typeof ARGOCD_SOURCE, string>> {
  const charts = dependencies.map(({ chart }) => chart).sort(byName);
  const [main] = dependencies.slice(-1);
  return {
    [ARGOCD_SOURCE]: stringifyYaml({ helm: { releaseName: name } }),
    'Chart.yaml': stringifyYaml({
      apiVersion: 'v2',
      name,
      description: `${charts.map((chart) => chart.name).join(', ')} and the manifests that go with it`,
      type: 'application',
      // Chart.yaml requires SemVer, without a leading "v".
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

/** Returns the dependencies in a `Chart.yaml` of `umbrellaFiles`. */
export function dependenciesIn(chartYaml: string): readonly Pick<PinnedChart, 'name' | 'version'>[] {
  checkDepth(chartYaml);
  const { dependencies = [] } = (parse(chartYaml, { logLevel: 'error' }) ?? {}) as {
    dependencies?: Pick<PinnedChart, 'name' | 'version'>[];
  };
  return dependencies;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
