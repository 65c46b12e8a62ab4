import { mergeValues, type Values } from '#base/values';
import type { RenderedChart } from '#lib/charts/chart';
import type { KubernetesObject } from '#lib/kubernetes/kubernetes-object';
import { multiclusterChart } from '#lib/linkerd/charts/linkerd-multicluster/chart';
import { multiclusterRenderer } from '#lib/linkerd/charts/linkerd-multicluster/multicluster';
import { MULTICLUSTER, type MulticlusterTemplates } from '#lib/linkerd/releases/groups/multicluster';
import type { LinkerdVersion } from '#lib/linkerd/releases/known-releases';
import { releaseOf } from '#lib/linkerd/releases/release';
import { facts } from '#test/support/findings';

/** Returns the chart of a release. */
export function chart(release: LinkerdVersion = 'edge-26.8.3'): RenderedChart {
  const found = multiclusterChart(releaseOf(release));
  if (found === undefined) throw new Error(`${release} has no chart linkerd-multicluster`);
  return found;
}

/** The templates of the newest release. */
export const NEWEST: MulticlusterTemplates = MULTICLUSTER['edge-26.8.3'].templates;

/** Returns the values of the chart, overridden by `values`. */
export function chartValues(values: Values = {}): Values {
  return mergeValues(chart().defaults, values);
}

export function render(values: Values = {}, templates = NEWEST): readonly KubernetesObject[] {
  return multiclusterRenderer(templates).render(chartValues(values), { namespace: 'linkerd-multicluster' });
}

export function problems(values: Values) {
  return multiclusterRenderer(NEWEST).check(chartValues(values)).map(facts);
}

/** Returns the rendered object of a kind and a name, if any. */
export function find(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject | undefined {
  return objects.find((object) => object.kind === kind && object.metadata.name === name);
}

/** Returns values with service mirrors for clusters. */
export function linksTo(...names: readonly string[]): Values {
  return { controllers: names.map((name) => ({ link: { ref: { name } } })) };
}
