import { mergeValues } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkValues } from '#kubernetes/schemas/schema';
import { CHART_OF_PART, releaseOfChart } from '#linkerd/releases/charts';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { RENDERED_CHART_NAMES } from '#linkerd/renderers/chart-names';
import { chartNamed } from '#linkerd/renderers/native-charts';
import type { InflatedChart } from '../review/compare/cluster-contents';

/**
 * Returns a function that renders Helm charts without Helm, if possible. It renders each chart once, because clusters
 * of a fleet share charts.
 */
export function chartInflater(): (chart: InflatedChart) => readonly KubernetesObject[] | undefined {
  const known = new Map<string, readonly KubernetesObject[] | undefined>();
  return (chart) => {
    const key = JSON.stringify(chart);
    if (!known.has(key)) known.set(key, inflate(chart));
    return known.get(key);
  };
}

function inflate({ name, version, namespace, values }: InflatedChart): readonly KubernetesObject[] | undefined {
  // The objects of this chart are CRDs, which the plan describes separately.
  if (name === CHART_OF_PART.crds) return [];
  const chartName = RENDERED_CHART_NAMES.find((native) => native === name);
  const release = releaseOfChart({ name, version });
  const linkerdVersion = LINKERD_VERSIONS.find((one) => one === release);
  if (chartName === undefined || linkerdVersion === undefined) return undefined;
  const chart = chartNamed(chartName, releaseOf(linkerdVersion));
  if (chart === undefined || checkValues(chart.pinned, values).length > 0) return undefined;
  const all = mergeValues(chart.defaults, values);
  return chart.native.check(all).length > 0 ? undefined : chart.native.render(all, { namespace });
}
