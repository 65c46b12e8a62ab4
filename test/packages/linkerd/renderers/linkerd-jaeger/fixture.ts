import { mergeValues, type Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Chart } from '#linkerd/charts/chart';
import { releaseOf } from '#linkerd/releases/release';
import { jaegerChart } from '#linkerd/renderers/linkerd-jaeger/chart';
import { JAEGER_RENDERER } from '#linkerd/renderers/linkerd-jaeger/jaeger';

export const { check: checkJaegerRender } = JAEGER_RENDERER;

/** Returns the chart of 2.14, the only release with this chart. */
function chart(): Chart {
  const found = jaegerChart(releaseOf('stable-2.14.10'));
  if (found === undefined) throw new Error('no chart linkerd-jaeger');
  return found;
}

/** Returns the values of the chart with a certificate from cert-manager, overridden by `values`. */
export function chartValues(values: Values = {}): Values {
  const webhook: Values = { externalSecret: true, injectCaFrom: 'linkerd-jaeger/jaeger-injector' };
  return mergeValues(mergeValues(chart().defaults, { webhook }), values);
}

export function render(values: Values = {}, namespace = 'linkerd-jaeger'): readonly KubernetesObject[] {
  return JAEGER_RENDERER.render(chartValues(values), { namespace });
}

/** Returns the rendered object of a kind and a name, if any. */
export function find(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject | undefined {
  return objects.find((object) => object.kind === kind && object.metadata.name === name);
}
