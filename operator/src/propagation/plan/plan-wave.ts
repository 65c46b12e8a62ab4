import { kubeTime } from '#controller-runtime/objects/kube-time';
import { asksForProxy } from '../objects/pod';
import { injectorFence, restartWorkload } from './actions';
import { type AssessedWorkload, assess, type RestartCriteria, turningPoints } from './assess';
import { proxiedNamespaces } from './cluster-view';
import type { InjectorState } from './injector-state';
import type { PlanInput, PropagationPlan, PropagationStatus, RestartInProgress } from './propagation-plan';
import { type Begun, inSlices, type Survey, unseenOf } from './survey';
import { waveVerdict } from './verdict';
import { nextWave, type Waiting, type Wave } from './wave';

const PASSED_BY_LISTED = 50;

type Injecting = Extract<InjectorState, { kind: 'injecting' }>;

/**
 * Assesses the workloads whose pods follow the configuration, and those in the middle of a restart, which may have no
 * pods. A workload that is not in a cache yet is assessed later. Yields like `survey`.
 */
export function* assessAll(
  { byId, owned, begun }: Survey,
  { injection }: Injecting,
  { namespaces, progressDeadlineSeconds, now }: PlanInput,
): Generator<void, readonly AssessedWorkload[]> {
  const injected = proxiedNamespaces(namespaces);
  const criteria: RestartCriteria = {
    injection,
    begun: beginnings(begun),
    unsettledBefore: new Set([...begun.values()].flatMap((it) => (it.unsettled ? [it.workload] : []))),
    now: kubeTime(now),
    progressDeadlineSeconds,
    asksForProxy: (pod) => asksForProxy(pod, injected),
  };
  const assessed: AssessedWorkload[] = [];
  for (const ids of inSlices([...new Set([...owned.managed.keys(), ...begun.keys()])])) {
    for (const id of ids) {
      const workload = byId.get(id);
      if (workload) assessed.push(assess(id, workload, owned.managed.get(id) ?? [], criteria));
    }
    yield;
  }
  return assessed;
}

/** Plans while every injector has the configuration: workloads restart, a few at a time. */
export function planWave(
  assessed: readonly AssessedWorkload[],
  { byId, begun, lists }: Survey,
  { injection, injector }: Injecting,
  input: PlanInput,
): PropagationPlan {
  const { rejections, now } = input;
  const unseen = unseenOf(begun, byId, input);
  const ids = unseen.map(({ workload }) => workload);
  const wave = nextWave(assessed, { ...input, begun: beginnings(begun), unseen: ids });
  const refused = (id: string): boolean => rejections.has(id);
  const restarts = inProgressWith(wave, assessed, { begun, refused, now: kubeTime(now) });
  const inProgress = [...restarts, ...unseen].toSorted((a, b) => (a.workload < b.workload ? -1 : 1));
  const status = { injector: injection, inProgress, ...passedByOf(wave.passedBy), ...lists };
  return {
    actions: injection ? wave.chosen.map((chosen) => restartWorkload(chosen, injection, injectorFence(injector))) : [],
    report: { ...waveVerdict(wave), status },
    requeueAfterMs: nextDeadlineMs(wave, assessed, input),
  };
}

/** Returns the times since which restarts are known to be in progress, by the workload's id. */
export function beginnings(begun: Begun): ReadonlyMap<string, string> {
  return new Map([...begun].map(([id, { since }]) => [id, since]));
}

/**
 * Returns the restarts to record: those in progress, those that start, and those that earlier configurations left
 * unfinished.
 */
export function inProgressWith(
  { chosen }: Wave,
  assessed: readonly AssessedWorkload[],
  { begun, refused, now }: { readonly begun: Begun; readonly refused: (id: string) => boolean; readonly now: string },
): readonly RestartInProgress[] {
  const isChosen = new Set(chosen);
  return assessed.flatMap((item): readonly RestartInProgress[] => {
    const { id, state } = item;
    const before = begun.get(id);
    if (state.kind === 'restarting') return [{ workload: id, since: state.since, ...unsettledMark(before) }];
    if (state.kind === 'current' || refused(id)) return [];
    if (state.kind === 'stale' && isChosen.has(item)) return beginning(id, state, before, now);
    return before === undefined ? [] : [before];
  });
}

function beginning(
  id: string,
  { takesNoSlot, triedSince, unsettled }: Extract<AssessedWorkload['state'], { kind: 'stale' }>,
  before: RestartInProgress | undefined,
  now: string,
): readonly RestartInProgress[] {
  if (takesNoSlot) return [];
  // A restart that the operator left unfinished does not count as unsettled.
  const isUnsettled = unsettled !== undefined && before === undefined;
  return [{ workload: id, since: triedSince ?? now, ...(isUnsettled ? { unsettled: true } : unsettledMark(before)) }];
}

function unsettledMark(before: RestartInProgress | undefined): Pick<RestartInProgress, 'unsettled'> {
  return before?.unsettled ? { unsettled: true } : {};
}

function passedByOf(passedBy: readonly Waiting[]): Pick<PropagationStatus, 'passedBy'> {
  if (passedBy.length === 0) return {};
  const restarts = passedBy.slice(0, PASSED_BY_LISTED).map(({ id, why }) => ({ workload: id, why }));
  return { passedBy: { count: passedBy.length, restarts } };
}

/** Returns the milliseconds until time alone may change the state of a restart. */
export function nextDeadlineMs(
  { chosen }: Wave,
  assessed: readonly AssessedWorkload[],
  { progressDeadlineSeconds, now }: Pick<PlanInput, 'progressDeadlineSeconds' | 'now'>,
): number | undefined {
  const begun = assessed.flatMap(({ pods, state }) => {
    if (state.kind === 'restarting') return turningPoints({ pods }, state.since, progressDeadlineSeconds);
    if (state.kind !== 'stale' || state.triedSince === undefined) return [];
    return [1, 2].flatMap((times) =>
      turningPoints({ pods: [] }, state.triedSince ?? '', times * progressDeadlineSeconds),
    );
  });
  const beginning = chosen.flatMap(() => turningPoints({ pods: [] }, kubeTime(now), progressDeadlineSeconds));
  const next = [...begun, ...beginning].reduce(
    (least, at) => (at > now.getTime() ? Math.min(least, at) : least),
    Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(next) ? next - now.getTime() : undefined;
}
