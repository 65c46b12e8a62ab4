import { CNI_DIFFERENCES, CNI_REFUSALS } from '../../lib/linkerd/cni-manifests/intended-differences';
import { CONTROL_PLANE_DIFFERENCES, CONTROL_PLANE_REFUSALS } from '../../lib/linkerd/manifests/intended-differences';
import { VIZ_DIFFERENCES, VIZ_FIXES, VIZ_REFUSALS } from '../../lib/viz/manifests/intended-differences';
import type { ChartIntentions } from './document';

/** What is intended for each chart. */
export const INTENTIONS: readonly ChartIntentions[] = [
  {
    chart: 'linkerd-control-plane',
    differences: CONTROL_PLANE_DIFFERENCES,
    refusals: CONTROL_PLANE_REFUSALS,
    fixes: [],
  },
  { chart: 'linkerd-viz', differences: VIZ_DIFFERENCES, refusals: VIZ_REFUSALS, fixes: VIZ_FIXES },
  { chart: 'linkerd2-cni', differences: CNI_DIFFERENCES, refusals: CNI_REFUSALS, fixes: [] },
];
