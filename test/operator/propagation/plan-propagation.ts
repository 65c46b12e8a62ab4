import { planInSlices } from '#operator/src/propagation/plan/plan';
import type { PropagationPlan } from '#operator/src/propagation/plan/propagation-plan';

/** Plans in one go what the operator plans in slices. */
export function planPropagation(...given: Parameters<typeof planInSlices>): PropagationPlan {
  const slices = planInSlices(...given);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}
