import type { PropagationAction } from './plan/actions';
import type { ClusterView } from './plan/cluster-view';
import { planInSlices } from './plan/plan';
import type { PropagationPlan, PropagationTarget } from './plan/propagation-plan';
import { REJECTION_MS, rejectedRestarts, restartRepetitions } from './restart-memory';

/** Plans, and keeps facts from earlier plans that the cluster does not show. */
export interface Planner {
  /** Yields after a number of objects; see `planInSlices`. */
  plan(seen: Omit<ClusterView, 'rejections'>, target: PropagationTarget, now: Date): Generator<void, PropagationPlan>;
  /** Records an executed action. */
  written(action: PropagationAction): void;
  /** Records a refused restart for this configuration. */
  refused(id: string, message: string, configHash: string | undefined): void;
  /** Records a restart for this configuration that was not made, because the workload was changed meanwhile. */
  overtaken(id: string, configHash: string | undefined): void;
}

const TAKEN_BACK =
  'another client removed the annotation of its pod template (restartAt of a Rollout) that restarts it: stop that client, or restart the workload manually';

/** Maximum number of consecutive plans: each may choose another workload whose restart was undone. */
const MAX_PLANS = 10;

/** Number of times that a workload may be changed just before its restart until it gives up its slot. */
const MAX_OVERTAKEN = 3;
const ALWAYS_OVERTAKEN = 'another client changes it continuously, so it could not be restarted';

/** @param monotonicMs milliseconds of a monotonic clock */
export function createPlanner(monotonicMs: () => number): Planner {
  const rejected = rejectedRestarts(monotonicMs);
  const repetitions = restartRepetitions();
  const overtaken = new Map<string, number>();

  function* planOnce(...[seen, target, now]: Parameters<Planner['plan']>): Generator<void, PropagationPlan> {
    const view = { ...seen, rejections: rejected.current(target.configHash) };
    const plan = yield* planInSlices(view, target, now);
    if (view.rejections.size === 0) return plan;
    return { ...plan, requeueAfterMs: Math.min(plan.requeueAfterMs ?? REJECTION_MS, REJECTION_MS) };
  }
  return {
    plan: function* (seen, target, now) {
      let plan = yield* planOnce(seen, target, now);
      for (let time = 0; time < MAX_PLANS; time += 1) {
        const again = repetitions.among(plan.actions);
        if (again.length === 0) return plan;
        for (const id of again) rejected.add(id, { configHash: target.configHash, message: TAKEN_BACK });
        plan = yield* planOnce(seen, target, now);
      }
      const left = new Set(repetitions.among(plan.actions));
      return { ...plan, actions: plan.actions.filter(({ id = '' }) => !left.has(id)) };
    },
    written: (action) => {
      if (action.id !== undefined) overtaken.delete(action.id);
      repetitions.add(action);
    },
    refused: (id, message, configHash) =>
      rejected.add(id, { configHash, message: `the API server refused its restart: ${message}` }),
    overtaken: (id, configHash) => {
      const times = (overtaken.get(id) ?? 0) + 1;
      if (times < MAX_OVERTAKEN) return void overtaken.set(id, times);
      overtaken.delete(id);
      rejected.add(id, { configHash, message: ALWAYS_OVERTAKEN });
    },
  };
}
