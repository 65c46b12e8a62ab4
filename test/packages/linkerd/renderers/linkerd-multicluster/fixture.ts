import { mergeValues, type Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderedChart } from '#linkerd/charts/chart';
import { MULTICLUSTER, type MulticlusterTemplates } from '#linkerd/releases/groups/multicluster';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { multiclusterChart } from '#linkerd/renderers/linkerd-multicluster/chart';
import { multiclusterRenderer } from '#linkerd/renderers/linkerd-multicluster/multicluster';
import { facts } from '#test/support/findings';

/** Returns the chart of a release. */
export function chart(release: LinkerdVersion = 'edge-26.8.3'): RenderedChart {
  const found = multiclusterChart(releaseOf(release));
  if (found === undefined) throw new Error(`${release} has no chart linkerd-multicluster`);
  return found;
}

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
