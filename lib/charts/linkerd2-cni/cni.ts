import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import type { Values } from '../../releases/values';
import { withoutNulls } from '../chart-view';
import type { RenderContext } from '../render-context';
import { cniView } from './cni-view';
import { cniConfigMap } from './config-map';
import { cniDaemonSet } from './daemon-set';
import { cniRbac } from './rbac';

/**
 * Every object of the CNI plugin, equal to what the official chart of edge-26.8.3 renders but for
 * `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's over the chart's own; null removes a key. To be checked by
 * `checkCniRender` first.
 */
export function renderCni(values: Values, context: RenderContext): readonly KubernetesObject[] {
  const view = cniView(withoutNulls(values));
  return [...cniRbac(view, context), cniConfigMap(view, context), cniDaemonSet(view, context)];
}
