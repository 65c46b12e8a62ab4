import type { NativeRenderer } from '../chart';
import { renderCni } from './cni';
import { CNI_DIFFERENCES, CNI_REFUSALS } from './intended-differences';
import { checkCniRender } from './render-rules';

/** The native renderer of linkerd2-cni. */
export const CNI: NativeRenderer = {
  check: checkCniRender,
  render: renderCni,
  intended: { differences: CNI_DIFFERENCES, refusals: CNI_REFUSALS, fixes: [] },
};
