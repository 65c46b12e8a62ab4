import type { NativeRenderer } from '../chart';
import { VIZ_DIFFERENCES, VIZ_FIXES, VIZ_REFUSALS } from './intended-differences';
import { checkVizRender } from './rules/render-rules';
import { renderViz } from './viz';

/** The native renderer of linkerd-viz. */
export const VIZ: NativeRenderer = {
  check: checkVizRender,
  render: renderViz,
  intended: { differences: VIZ_DIFFERENCES, refusals: VIZ_REFUSALS, fixes: VIZ_FIXES },
};
