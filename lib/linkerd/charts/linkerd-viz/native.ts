import type { NativeRenderer } from '#lib/charts/chart';
import { deepFreeze } from '#lib/kubernetes/plain-data';
import type { VizTemplates } from '../../releases/groups/viz';
import { VIZ_DIFFERENCES, VIZ_FIXES, VIZ_REFUSALS } from './intended-differences';
import { checkVizRender } from './render-rules';
import { renderViz } from './viz';

/** Returns the native renderer of linkerd-viz. */
export function vizRenderer(templates: VizTemplates): NativeRenderer {
  return deepFreeze({
    check: (values) => checkVizRender(values, templates),
    render: (values, context) => renderViz(values, context, templates),
    intended: { differences: VIZ_DIFFERENCES, refusals: VIZ_REFUSALS, fixes: VIZ_FIXES },
  });
}
