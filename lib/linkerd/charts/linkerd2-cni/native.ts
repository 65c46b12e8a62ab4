import type { NativeRenderer } from '#lib/charts/chart';
import { deepFreeze } from '#lib/kubernetes/plain-data';
import type { CniTemplates } from '../../releases/groups/cni';
import { renderCni } from './cni';
import { CNI_DIFFERENCES, CNI_REFUSALS } from './intended-differences';
import { checkCniRender } from './render-rules';

/** Returns the native renderer of linkerd2-cni. */
export function cniRenderer(templates: CniTemplates): NativeRenderer {
  return deepFreeze({
    check: (values) => checkCniRender(values, templates),
    render: (values, context) => renderCni(values, context, templates),
    intended: { differences: CNI_DIFFERENCES, refusals: CNI_REFUSALS, fixes: [] },
  });
}
