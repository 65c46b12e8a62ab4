import type { NativeRenderer } from '#lib/charts/chart';
import { deepFreeze } from '#lib/kubernetes/plain-data';
import type { ControlPlaneTemplates } from '../../releases/groups/control-plane';
import { SCHEDULE } from './cluster-schedule';
import { renderControlPlane } from './control-plane';
import { CONTROL_PLANE_DIFFERENCES, CONTROL_PLANE_REFUSALS } from './intended-differences';
import { checkControlPlaneRender } from './render-rules';

/** Returns the native renderer of linkerd-control-plane. */
export function controlPlaneRenderer(templates: ControlPlaneTemplates): NativeRenderer {
  return deepFreeze({
    check: (values) => checkControlPlaneRender(values, templates),
    render: (values, context) => renderControlPlane(values, context, templates),
    perCluster: SCHEDULE,
    intended: { differences: CONTROL_PLANE_DIFFERENCES, refusals: CONTROL_PLANE_REFUSALS, fixes: [] },
  });
}
