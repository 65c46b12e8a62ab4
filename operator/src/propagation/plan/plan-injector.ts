import { kubeTime } from '../../../../packages/controller-runtime/objects/kube-time';
import { INJECTOR_DEPLOYMENT } from '../../../api/names';
import { rulesOf, type Workload, workloadId } from '../kinds/workload';
import type { Injection } from '../objects/injection';
import { type PropagationAction, recordInjection, restartInjector } from './actions';
import { deadline } from './assess';
import type { InjectorState } from './injector-state';
import type { PlanInput, PropagationPlan, RestartInProgress } from './propagation-plan';
import { type Begun, type Survey, unseenOf } from './survey';
import { injectorVerdict } from './verdict';

/** Plans while not every injector has the configuration: writes only to the injector. */
export function planInjector(
  state: Exclude<InjectorState, { kind: 'injecting' }>,
  { byId, begun, lists }: Survey,
  input: PlanInput,
): PropagationPlan {
  const { injector, configHash, now } = input;
  const isRestarting = state.kind !== 'away' && state.kind !== 'missing';
  const restart = isRestarting ? injectorRestart(input) : undefined;
  const dueMs = restart && deadline(restart.since, input.progressDeadlineSeconds) - now.getTime();
  const isLate = dueMs !== undefined && dueMs <= 0;
  // A restart without proxies while the injector was down is complete, and is reported when it is back.
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

/** Records the restart: its own controller may never report that it is late. */
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
