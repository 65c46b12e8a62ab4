import type { ClusterView } from './cluster-view';
import { injectorState } from './injector-state';
import { planInjector } from './plan-injector';
import { assessAll, planWave } from './plan-wave';
import type { PropagationPlan, PropagationTarget } from './propagation-plan';
import { survey } from './survey';

/**
 * Plans the next steps after which all pods that request it run with the configuration: the injector restarts with it;
 * then, a few at a time, the workloads whose pods were injected before. Depends only on its arguments, and each step
 * can be repeated: whatever fails or changes elsewhere, the plan for the next observation is right.
 */
export function planPropagation(view: ClusterView, target: PropagationTarget, now: Date): PropagationPlan {
  const slices = planInSlices(view, target, now);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

/** Plans the same, and yields after every `SLICE` objects. */
export function* planInSlices(
  view: ClusterView,
  target: PropagationTarget,
  now: Date,
): Generator<void, PropagationPlan> {
  const input = { ...target, ...view, now };
  const found = yield* survey(view, target, now);
  const state = injectorState(view, target, now);
  yield;
  if (state.kind !== 'injecting') return planInjector(state, found, input);
  const assessed = yield* assessAll(found, state, input);
  return planWave(assessed, found, state, input);
}
