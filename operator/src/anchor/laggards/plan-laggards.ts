import type { RestartWave } from '#anchor/plan';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import { TRUST_ROOTS_ANNOTATION } from '#operator/api/names';
import { rulesOf, type Workload, workloadId } from '../../propagation/kinds/workload';
import type { PodDisruptionBudget } from '../../propagation/objects/disruption-budget';
import type { Injection } from '../../propagation/objects/injection';
import type { PropagationAction } from '../../propagation/plan/actions';
import { restartWorkload } from '../../propagation/plan/actions';
import { type AssessedWorkload, assess, type RestartCriteria } from '../../propagation/plan/assess';
import { beginnings, inProgressWith, nextDeadlineMs } from '../../propagation/plan/plan-wave';
import type { RestartInProgress } from '../../propagation/plan/propagation-plan';
import { type Begun, begunRestarts } from '../../propagation/plan/survey';
import { type Verdict, waveVerdict } from '../../propagation/plan/verdict';
import { nextWave } from '../../propagation/plan/wave';
import type { MeshedPod } from '../objects/meshed-pod';

/** The objects behind the plan of a wave. */
export interface LaggardView {
  readonly workloads: readonly Workload[];
  /** Meshed pods of workloads, by their ids. */
  readonly pods: ReadonlyMap<string, readonly MeshedPod[]>;
  readonly budgets: readonly PodDisruptionBudget[];
  /** The reasons why restarts were recently rejected, by the workload's id. */
  readonly rejections: ReadonlyMap<string, string>;
  /** True while a kind of workload is being read for the first time: a missing workload may exist. */
  readonly isIncomplete: boolean;
}

/** The workloads to restart, and how. */
export interface LaggardTarget {
  /** Ids of the workloads to restart. */
  readonly workloads: readonly string[];
  readonly wave: RestartWave;
  /** The milliseconds after which an ineffective restart is tried again. */
  readonly retryMs: number;
  /** Whether a pod trusts the required anchors. */
  readonly knows: (pod: MeshedPod) => boolean;
  readonly maxUnavailableWorkloads: number;
  readonly progressDeadlineSeconds: number;
  /** The restarts in the status. */
  readonly inProgress: readonly RestartInProgress[] | undefined;
  /** The reason why no workload may restart now; absent if workloads may. */
  readonly waitsFor?: string;
}

/** The next restarts, and those in progress. */
export interface LaggardPlan {
  readonly actions: readonly PropagationAction[];
  /** Must be written to the status before any action. */
  readonly inProgress: readonly RestartInProgress[];
  readonly verdict: Verdict;
  /** Milliseconds until time alone changes the plan. */
  readonly requeueAfterMs?: number;
}

/** Returns the hash of the reason for which workloads restart: always the same for the same wave. */
export function waveHash({ reason, generation, key }: RestartWave): string {
  return `g${generation}k${key.slice(0, 8)}${MARKS[reason]}`;
}

/** Distinguishes the waves of one anchor. */
const MARKS: Readonly<Record<RestartWave['reason'], string>> = { adopt: '', turn: 't', forget: 'f' };

/** Plans the next restarts of workloads whose pods lack an anchor. Depends only on its arguments. */
export function planLaggards(view: LaggardView, target: LaggardTarget, now: Date): LaggardPlan {
  const begun = begunRestarts(target.inProgress, now);
  const attemptOf = attempts(target, now);
  const assessed = assessAll(view, target, { begun, attemptOf, now });
  const { maxUnavailableWorkloads, progressDeadlineSeconds, waitsFor } = target;
  const there = new Set(assessed.map(({ id }) => id));
  const unseen = view.isIncomplete ? [...begun.keys()].filter((id) => !there.has(id)) : [];
  const wave = nextWave(assessed, {
    maxUnavailableWorkloads: waitsFor === undefined ? maxUnavailableWorkloads : 0,
    budgets: view.budgets,
    begun: beginnings(begun),
    unseen,
    rejections: view.rejections,
  });
  // Without slots, `nextWave` still chooses restarts that need none.
  const chosen = waitsFor === undefined ? wave.chosen : [];
  const refused = (id: string): boolean => view.rejections.has(id);
  const restarts = inProgressWith({ ...wave, chosen }, assessed, { begun, refused, now: kubeTime(now) });
  const kept = unseen.flatMap((id) => begun.get(id) ?? []);
  const requeueAfterMs = nextDeadlineMs({ ...wave, chosen }, assessed, { progressDeadlineSeconds, now });
  return {
    actions: chosen.map((one) => restartWorkload(one, attemptOf(one), { kind: 'config' })),
    inProgress: [...restarts, ...kept].toSorted((a, b) => (a.workload < b.workload ? -1 : 1)),
    verdict: waveVerdict({ ...wave, chosen }),
    ...(requeueAfterMs !== undefined && { requeueAfterMs }),
  };
}

function assessAll(
  { workloads, pods }: LaggardView,
  target: LaggardTarget,
  { begun, attemptOf, now }: { readonly begun: Begun; readonly attemptOf: AttemptOf; readonly now: Date },
): readonly AssessedWorkload[] {
  const { knows, progressDeadlineSeconds } = target;
  const wanted = new Set(target.workloads);
  const criteria: RestartCriteria = {
    begun: beginnings(begun),
    unsettledBefore: new Set([...begun.values()].flatMap((it) => (it.unsettled ? [it.workload] : []))),
    isFresh: (pod) => knows(pod as MeshedPod),
    now: kubeTime(now),
    progressDeadlineSeconds,
  };
  return workloads.flatMap((workload) => {
    const id = workloadId(workload);
    if (!wanted.has(id) && !begun.has(id)) return [];
    const own = pods.get(id) ?? [];
    const injection = attemptOf({ id, workload, pods: own });
    return [withoutProxies(assess(id, workload, own, { ...criteria, injection }), begun, injection)];
  });
}

type AttemptOf = (one: Pick<AssessedWorkload, 'id' | 'workload' | 'pods'>) => Injection;

/**
 * Returns a function that gives the reason for which a workload restarts in a wave. The workload's annotation records
 * the restart, so that it happens once even if the status is lost. It is repeated only if pods lack the anchor for long
 * after it, because they started with an unobserved bundle. A user who fakes such pods only causes occasional restarts
 * of their own workload.
 */
function attempts({ workloads, wave, knows, retryMs }: LaggardTarget, now: Date): AttemptOf {
  const asked = new Set(workloads);
  const reason = { configHash: waveHash(wave), annotation: TRUST_ROOTS_ANNOTATION };
  const at = (time: number): Injection => ({ ...reason, since: kubeTime(new Date(time)) });
  const first = at(wave.since);
  return ({ id, workload, pods }) => {
    const isAsked = asked.has(id);
    const last = rulesOf(workload).restartedSince(workload, first);
    if (last === undefined || (isAsked && last < first.since)) return first;
    const created = pods
      .filter((pod) => !knows(pod as MeshedPod))
      .map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ''));
    const passed = now.getTime() - Date.parse(last);
    const isLong = passed >= retryMs && created.some((time) => !(now.getTime() - time < retryMs));
    return at(Date.parse(last) + (isAsked && isLong ? Math.floor(passed / retryMs) * retryMs : 0));
  };
}

/**
 * Keeps a complete restart in progress if it left no pod with a proxy. The operator cannot observe the pods themselves,
 * because only the injector labels them.
 */
function withoutProxies(assessed: AssessedWorkload, begun: Begun, injection: Injection): AssessedWorkload {
  const { id, workload, pods, state } = assessed;
  const before = begun.get(id);
  const hasPods = 'replicas' in workload.spec && workload.spec.replicas !== 0;
  const isDone = state.kind === 'current' && rulesOf(workload).carries(workload, injection);
  if (before === undefined || pods.length > 0 || !hasPods || !isDone) return assessed;
  const overdue = 'none of its new pods has a proxy';
  return {
    ...assessed,
    state: { kind: 'restarting', since: before.since, until: 'its new pods have proxies', overdue },
  };
}
