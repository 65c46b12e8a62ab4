import defaults from '../../../imports/charts/linkerd2-cni/edge-26.8.3.defaults.json';
import type { Container, DaemonSet } from '../../../imports/kubernetes';
import { withoutNulls } from '../../../lib/charts/chart-view';
import { renderCni } from '../../../lib/charts/linkerd2-cni/cni';
import { type CniView, cniView } from '../../../lib/charts/linkerd2-cni/cni-view';
import type { KubernetesObject } from '../../../lib/kubernetes/kubernetes-object';
import { mergeValues, type Values } from '../../../lib/releases/values';

/** The chart's values with the given ones over them. */
export function chartValues(values: Values = {}): Values {
  return mergeValues(defaults as Values, values);
}

export function viewOf(values: Values = {}): CniView {
  return cniView(withoutNulls(chartValues(values)));
}

export function render(values: Values = {}): readonly KubernetesObject[] {
  return renderCni(chartValues(values), { namespace: 'linkerd-cni' });
}

type PodTemplate = NonNullable<DaemonSet['spec']>['template'];

/** The pod template of the DaemonSet. */
export function podOf(values: Values = {}): PodTemplate {
  const template = (render(values).find(({ kind }) => kind === 'DaemonSet') as DaemonSet | undefined)?.spec?.template;
  if (template === undefined) throw new Error('no DaemonSet');
  return template;
}

/** A container of the DaemonSet, if it is there. */
export function containerOf(values: Values, name: string): Container | undefined {
  return podOf(values).spec?.containers.find((container) => container.name === name);
}
