import type { PropagationAction } from './plan/actions';
import type { ClusterView } from './plan/cluster-view';
import { planInSlices } from './plan/plan';
import type { PropagationPlan, PropagationTarget } from './plan/propagation-plan';
import { REJECTION_MS, rejectedRestarts, restartRepetitions } from './restart-memory';

/** Plans, and remembers of the plans before what the cluster does not show. */
export interface Planner {
  /** Pauses each time it has looked at so many objects; see `planInSlices`. */
  plan(seen: Omit<ClusterView, 'rejections'>, target: PropagationTarget, now: Date): Generator<void, PropagationPlan>;
  /** An action was carried out. */
  written(action: PropagationAction): void;
  /** A restart for this configuration was refused. */
  refused(id: string, message: string, configHash: string | undefined): void;
  /** A restart for this configuration was not made, because somebody else changed the workload meanwhile. */
  overtaken(id: string, configHash: string | undefined): void;
}

/** The reason that is given for a workload which lost the annotation that restarted it. */
const TAKEN_BACK =
  'somebody took back the annotation of its pod template that restarts it: let them leave it alone, or restart it by hand';

/** The most plans in a row: where one such workload is left out, the next in line may be another. */
const MOST_PLANS = 10;

/** The number of times that somebody may change a workload just before its restart until others have its place. */
const MOST_OVERTAKEN = 3;
const ALWAYS_OVERTAKEN = 'somebody else changes it all the time, so that it could not be restarted';

/** @param monotonicMs milliseconds of a clock that only goes forward */
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
      for (let time = 0; time < MOST_PLANS; time += 1) {
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
      rejected.add(id, { configHash, message: `its restart was refused: ${message}` }),
    overtaken: (id, configHash) => {
      const times = (overtaken.get(id) ?? 0) + 1;
      if (times < MOST_OVERTAKEN) return void overtaken.set(id, times);
      overtaken.delete(id);
      rejected.add(id, { configHash, message: ALWAYS_OVERTAKEN });
    },
  };
}
