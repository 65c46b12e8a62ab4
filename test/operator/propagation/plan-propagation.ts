import { planInSlices } from '#operator/src/propagation/plan/plan';
import type { PropagationPlan } from '#operator/src/propagation/plan/propagation-plan';

/** Completes at once a plan that the operator computes in slices. */
export function planPropagation(...given: Parameters<typeof planInSlices>): PropagationPlan {
  const slices = planInSlices(...given);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}
