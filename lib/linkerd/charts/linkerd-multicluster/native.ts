import type { NativeRenderer } from '#lib/charts/chart';
import { deepFreeze } from '#lib/kubernetes/plain-data';
import type { MulticlusterTemplates } from '../../releases/groups/multicluster';
import { MULTICLUSTER_DIFFERENCES, MULTICLUSTER_REFUSALS } from './intended-differences';
import { renderMulticluster } from './multicluster';
import { checkMulticlusterRender } from './render-rules';

/** Returns the native renderer of linkerd-multicluster. */
export function multiclusterRenderer(templates: MulticlusterTemplates): NativeRenderer {
  return deepFreeze({
    check: checkMulticlusterRender,
    render: (values, context) => renderMulticluster(values, context, templates),
    intended: { differences: MULTICLUSTER_DIFFERENCES, refusals: MULTICLUSTER_REFUSALS, fixes: [] },
  });
}
