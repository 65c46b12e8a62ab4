import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import type { Values } from '../../../kubernetes/values';
import type { CniTemplates } from '../../releases/groups/cni';
import { withoutNulls } from '../chart-view';
import type { RenderContext } from '../render-context';
import { cniView } from './cni-view';
import { cniDaemonSet } from './daemon-set';
import { cniConfigMap } from './network-config';
import { cniRbac } from './rbac';

/**
 * Every object of the CNI plugin, equal to what the official chart of a release renders but for
 * `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's over the chart's own; null removes a key. To be checked by
 * `checkCniRender` first.
 */
export function renderCni(
  values: Values,
  context: RenderContext,
  templates: CniTemplates,
): readonly KubernetesObject[] {
  const view = cniView(withoutNulls(values), templates);
  return [...cniRbac(view, context), cniConfigMap(view, context), cniDaemonSet(view, context)];
}
