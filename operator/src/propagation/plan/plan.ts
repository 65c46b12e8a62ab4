import { kubeTime } from '#controller-runtime/objects/kube-time';
import { INJECTOR_DEPLOYMENT } from '#operator/api/names';
import { rulesOf, type Workload, workloadId } from '../kinds/workload';
import type { Injection } from '../objects/injection';
import { type PropagationAction, recordInjection, restartInjector } from './actions';
import { deadline } from './assess';
import type { ClusterView } from './cluster-view';
import type { InjectorState } from './injector-state';
import { injectorState } from './injector-state';
import { assessAll, planWave } from './plan-wave';
import type { PlanInput, PropagationPlan, PropagationTarget, RestartInProgress } from './propagation-plan';
import { type Begun, type Survey, survey, unseenOf } from './survey';
import { injectorVerdict } from './verdict';

/**
 * Plans the next steps until all pods that request it use the configuration. First the injector restarts, then, a few
 * at a time, the workloads whose pods were injected before. Depends only on its arguments, and each step can be
 * repeated. So after a failure or another client's change, the next plan is correct again. Yields after every `SLICE`
 * objects.
 */
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

/** Plans while not every injector has the configuration: writes only to the injector. */
function planInjector(
  state: Exclude<InjectorState, { kind: 'injecting' }>,
  { byId, begun, lists }: Survey,
  input: PlanInput,
): PropagationPlan {
  const { injector, configHash, now } = input;
  const isRestarting = state.kind !== 'away' && state.kind !== 'missing';
  const restart = isRestarting ? injectorRestart(input) : undefined;
  const dueMs = restart && deadline(restart.since, input.progressDeadlineSeconds) - now.getTime();
  const isLate = dueMs !== undefined && dueMs <= 0;
  // While the injector is down, pods of complete restarts have no proxies, which is reported when it is back.
  const inProgress =
    state.kind === 'away' ? [...begun.values()] : [...unfinished(begun, byId), ...unseenOf(begun, byId, input)];
  const known = state.kind === 'away' ? { injector: state.injection } : {};
  const judged =
    isLate && state.kind === 'rolling'
      ? { ...state, overdue: state.overdue ?? `it waits until ${state.until}` }
      : state;
  const verdict = injectorVerdict(judged, injector ? workloadId(injector) : INJECTOR_DEPLOYMENT);
  const status = { ...known, ...(restart && { injectorRestart: restart }), inProgress, ...lists };
  return {
    actions: injectorActions(state, configHash),
    report: { ...verdict, status },
    ...(!isLate && { requeueAfterMs: dueMs }),
  };
}

/** Records the restart, because the Deployment's controller may never report that it is late. */
function injectorRestart({ configHash, previous, now }: PlanInput): Injection {
  const before = previous?.injectorRestart;
  const isKnown = before?.configHash === configHash && Date.parse(before.since) <= now.getTime();
  return isKnown ? before : { configHash, since: kubeTime(now) };
}

function injectorActions(state: InjectorState, configHash: string): readonly PropagationAction[] {
  if (state.kind === 'outdated') return [restartInjector(state.injector, configHash)];
  return state.kind === 'unrecorded' ? [recordInjection(state.injector, state.injection)] : [];
}

function unfinished(begun: Begun, byId: ReadonlyMap<string, Workload>): readonly RestartInProgress[] {
  return [...begun.values()].filter(({ workload: id }) => {
    const workload = byId.get(id);
    return workload !== undefined && rulesOf(workload).missing(workload) !== undefined;
  });
}
