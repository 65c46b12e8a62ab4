import type { NativeRenderer } from '../chart';
import { renderControlPlane } from './control-plane';
import { CONTROL_PLANE_DIFFERENCES, CONTROL_PLANE_REFUSALS } from './intended-differences';
import { checkControlPlaneRender } from './rules/render-rules';

/** The native renderer of linkerd-control-plane. */
export const CONTROL_PLANE: NativeRenderer = {
  check: checkControlPlaneRender,
  render: renderControlPlane,
  intended: { differences: CONTROL_PLANE_DIFFERENCES, refusals: CONTROL_PLANE_REFUSALS, fixes: [] },
};
