import { mergeValues, type Values } from '#base/values';
import defaults from '#imports/charts/linkerd2-cni/edge-26.8.3.defaults.json';
import type { Container, DaemonSet } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { CNI, type CniTemplates } from '#linkerd/releases/groups/cni';
import { withoutNulls } from '#linkerd/renderers/chart-view';
import { cniRenderer } from '#linkerd/renderers/linkerd2-cni/cni';
import { type CniView, cniView } from '#linkerd/renderers/linkerd2-cni/cni-view';

/** Returns the values of the chart, overridden by `values`. */
export function chartValues(values: Values = {}): Values {
  return mergeValues(defaults as Values, values);
}

export const NEWEST: CniTemplates = CNI['edge-26.8.3'].templates;

export const { render: renderCni } = cniRenderer(NEWEST);

export function viewOf(values: Values = {}, templates = NEWEST): CniView {
  return cniView(withoutNulls(chartValues(values)), templates);
}

function render(values: Values = {}, templates = NEWEST): readonly KubernetesObject[] {
  return cniRenderer(templates).render(chartValues(values), { namespace: 'linkerd-cni' });
}

type PodTemplate = NonNullable<DaemonSet['spec']>['template'];

/** Returns the pod template of the DaemonSet. */
export function podOf(values: Values = {}): PodTemplate {
  const template = (render(values).find(({ kind }) => kind === 'DaemonSet') as DaemonSet | undefined)?.spec?.template;
  if (template === undefined) throw new Error('no DaemonSet');
  return template;
}

/** Returns a container of the DaemonSet, if it exists. */
export function containerOf(values: Values, name: string): Container | undefined {
  return podOf(values).spec?.containers.find((container) => container.name === name);
}
