import { INJECTOR_DEPLOYMENT } from '../../../api/names';
import { kubeTime } from '../../runtime/objects/kube-time';
import { ARGO_ROLLOUTS } from '../kinds/argo-rollout';
import { kindOf, rulesOf, type Workload, workloadId } from '../kinds/workload';
import type { Injection } from '../objects/injection';
import { asksForProxy } from '../objects/pod';
import { type PropagationAction, recordInjection, restartInjector, restartWorkload } from './actions';
import { type AssessedWorkload, assess, deadline, turningPoints, type Yardstick } from './assess';
import { type ClusterView, proxiedNamespaces } from './cluster-view';
import { type InjectorState, injectorState } from './injector-state';
import { type OwnedPods, podSorter } from './owners';
import { injectorVerdict, type Verdict, waveVerdict } from './verdict';
import { nextWave, type Waiting, type Wave } from './wave';
import { type NamespaceWorkloads, namespaceWorkloads, type UnmanagedPods, unmanagedPods } from './workload-lists';

/** The configuration that is to reach the proxies, and how. */
export interface PropagationTarget {
  /** Hash of the configuration that the control plane's ConfigMap holds. */
  readonly configHash: string;
  /** Hash of the configuration when the control plane was adopted: injectors that were never restarted have it. */
  readonly adoptedHash?: string;
  /** How many workloads restart at a time. */
  readonly maxUnavailableWorkloads: number;
  /** After how long a restart counts as stuck, or gives its place to others. */
  readonly progressDeadlineSeconds: number;
  /** What the status says of earlier plans. */
  readonly previous?: Partial<Pick<PropagationStatus, 'injector' | 'injectorRestart' | 'inProgress'>>;
}

/** The part of a status that tells how far a configuration is. */
export interface PropagationStatus {
  /** Since when every injector has the configuration. Absent before, and if it never had another. */
  readonly injector?: Injection;
  /** For which configuration the injector restarts, and since when. Absent when it does not. */
  readonly injectorRestart?: Injection;
  /** Restarts that are going on, or that begin with this plan. */
  readonly inProgress: readonly RestartInProgress[];
  /** Those of them that took too long, and whose places others have. Absent when there are none. */
  readonly passedBy?: RestartsPassedBy;
  readonly workloads: readonly NamespaceWorkloads[];
  readonly unmanagedPods: UnmanagedPods;
}

interface RestartInProgress {
  /** `namespace/Kind/name`. */
  readonly workload: string;
  /** When it was seen first. RFC 3339. */
  readonly since: string;
  /** Whether a rollout was not complete when it began, so that it says nothing about the configuration. */
  readonly unsettled?: boolean;
}

/** Restarts that took too long and do not speak against the configuration. So many are listed that a status stays small. */
interface RestartsPassedBy {
  readonly count: number;
  readonly restarts: readonly RestartPassedBy[];
}

interface RestartPassedBy {
  /** `namespace/Kind/name`. */
  readonly workload: string;
  readonly why: string;
}

const PASSED_BY_LISTED = 50;

/** What is to be told. */
export interface PropagationReport extends Verdict {
  /** To be written before the plan is carried out: it remembers what the plan begins. */
  readonly status: PropagationStatus;
}

/** What is to be done. */
export interface PropagationPlan {
  readonly actions: readonly PropagationAction[];
  readonly report: PropagationReport;
  /** After how many milliseconds time alone changes something. Absent when it never does. */
  readonly requeueAfterMs?: number;
}

/** Objects that are looked at before others in this process have their turn. */
export const SLICE = 500;

/**
 * Decides what to do next so that all pods that ask for it run with the configuration: the injector is restarted with
 * it; then, a few at a time, the workloads whose pods were injected before that. Depends on nothing but its arguments,
 * and each step can be repeated: whatever went wrong, or goes on elsewhere, the plan of what is then seen is right.
 */
export function planPropagation(view: ClusterView, target: PropagationTarget, now: Date): PropagationPlan {
  const slices = planInSlices(view, target, now);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

/** Decides the same, and pauses each time it has looked at so many objects. */
export function* planInSlices(
  view: ClusterView,
  target: PropagationTarget,
  now: Date,
): Generator<void, PropagationPlan> {
  const found = yield* lookAround(view, target, now);
  const state = injectorState(view, target, now);
  yield;
  if (state.kind !== 'injecting') return planOfInjector(state, found, { ...target, ...view, now });
  const assessed = yield* assessAll(found, state, { ...target, ...view, now });
  return planOfWave(assessed, found, state, { ...target, ...view, now });
}

/** What there is, by what one looks for. */
interface Found {
  readonly byId: ReadonlyMap<string, Workload>;
  readonly owned: OwnedPods;
  readonly begun: Begun;
  readonly lists: Pick<PropagationStatus, 'workloads' | 'unmanagedPods'>;
}

function* lookAround(view: ClusterView, target: PropagationTarget, now: Date): Generator<void, Found> {
  const byId = new Map<string, Workload>();
  for (const workloads of inSlices(view.workloads)) {
    for (const workload of workloads) byId.set(workloadId(workload), workload);
    yield;
  }
  const sorter = podSorter(view);
  for (const sets of inSlices(view.replicaSets)) {
    sorter.addOwners(sets);
    yield;
  }
  for (const pods of inSlices(view.pods)) {
    sorter.add(pods);
    yield;
  }
  const owned = withOwnersThere(sorter.owned, byId, view);
  const lists = { workloads: namespaceWorkloads(owned), unmanagedPods: unmanagedPods(owned.unmanaged) };
  return { byId, owned, begun: begunRestarts(target, now), lists };
}

function planOfInjector(
  state: Exclude<InjectorState, { kind: 'injecting' }>,
  { byId, begun, lists }: Found,
  circumstances: Circumstances,
): PropagationPlan {
  const { injector, configHash, now } = circumstances;
  const isRestarting = state.kind !== 'away' && state.kind !== 'missing';
  const restart = isRestarting ? injectorRestart(circumstances) : undefined;
  const dueMs = restart && deadline(restart.since, circumstances.progressDeadlineSeconds) - now.getTime();
  const isLate = dueMs !== undefined && dueMs <= 0;
  // What came up without proxies while the injector was away is complete, and is to be told of when it is back.
  const inProgress =
    state.kind === 'away' ? [...begun.values()] : [...unfinished(begun, byId), ...unseenOf(begun, byId, circumstances)];
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

/** Its own controller may never say that it takes too long. */
function injectorRestart({ configHash, previous, now }: Circumstances): Injection {
  const before = previous?.injectorRestart;
  const isKnown = before?.configHash === configHash && Date.parse(before.since) <= now.getTime();
  return isKnown ? before : { configHash, since: kubeTime(now) };
}

type Injecting = Extract<InjectorState, { kind: 'injecting' }>;
type Circumstances = ClusterView & PropagationTarget & { readonly now: Date };

/** Also those in the middle of a restart, which may be without pods. One that is not seen yet has its turn later. */
function* assessAll(
  { byId, owned, begun }: Found,
  { injection }: Injecting,
  { namespaces, progressDeadlineSeconds, now }: Circumstances,
): Generator<void, readonly AssessedWorkload[]> {
  const injected = proxiedNamespaces(namespaces);
  const yardstick: Yardstick = {
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
      if (workload) assessed.push(assess(id, workload, owned.managed.get(id) ?? [], yardstick));
    }
    yield;
  }
  return assessed;
}

function planOfWave(
  assessed: readonly AssessedWorkload[],
  { byId, begun, lists }: Found,
  { injection, injector }: Injecting,
  circumstances: Circumstances,
): PropagationPlan {
  const { rejections, now } = circumstances;
  const unseen = unseenOf(begun, byId, circumstances);
  const ids = unseen.map(({ workload }) => workload);
  const wave = nextWave(assessed, { ...circumstances, begun: beginnings(begun), unseen: ids });
  const refused = (id: string): boolean => rejections.has(id);
  const restarts = inProgressWith(wave, assessed, { begun, refused, now: kubeTime(now) });
  const inProgress = [...restarts, ...unseen].toSorted((a, b) => (a.workload < b.workload ? -1 : 1));
  const status = { injector: injection, inProgress, ...passedByOf(wave.passedBy), ...lists };
  return {
    actions: injection ? wave.chosen.map((chosen) => restartWorkload(chosen, injection, injector)) : [],
    report: { ...waveVerdict(wave), status },
    requeueAfterMs: nextDeadlineMs(wave, assessed, circumstances),
  };
}

function beginnings(begun: Begun): ReadonlyMap<string, string> {
  return new Map([...begun].map(([id, { since }]) => [id, since]));
}

function* inSlices<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += SLICE) yield items.slice(start, start + SLICE);
}

/** Pods whose workload is not there have none that could restart them: anybody may make up an owner. */
function withOwnersThere(
  { managed, injected, unmanaged }: OwnedPods,
  byId: ReadonlyMap<string, Workload>,
  view: ClusterView,
): OwnedPods {
  const isThere = (id: string): boolean => byId.has(id) || isBeingRead(id, view);
  const [there, gone] = [[...managed].filter(([id]) => isThere(id)), [...managed].filter(([id]) => !isThere(id))];
  if (gone.length === 0) return { managed, injected, unmanaged };
  return { managed: new Map(there), injected, unmanaged: [...unmanaged, ...gone.flatMap(([, pods]) => pods)] };
}

/** Earlier restarts, as the status remembers them. What never began, or begins in the future, began now at the latest. */
function begunRestarts({ previous }: PropagationTarget, now: Date): ReadonlyMap<string, RestartInProgress> {
  return new Map(
    previous?.inProgress?.map(({ workload, since, unsettled }) => {
      const isPast = Date.parse(since) <= now.getTime();
      return [workload, { workload, since: isPast ? since : kubeTime(now), ...(unsettled && { unsettled }) }];
    }),
  );
}

function injectorActions(state: InjectorState, configHash: string): readonly PropagationAction[] {
  if (state.kind === 'outdated') return [restartInjector(state.injector, configHash)];
  return state.kind === 'unrecorded' ? [recordInjection(state.injector, state.injection)] : [];
}

type Begun = ReadonlyMap<string, RestartInProgress>;

/** Those of earlier restarts that are not complete. */
function unfinished(begun: Begun, byId: ReadonlyMap<string, Workload>): readonly RestartInProgress[] {
  return [...begun.values()].filter(({ workload: id }) => {
    const workload = byId.get(id);
    return workload !== undefined && rulesOf(workload).missing(workload) !== undefined;
  });
}

/** Those of earlier restarts that cannot be seen yet. */
function unseenOf(begun: Begun, byId: ReadonlyMap<string, Workload>, view: ClusterView): readonly RestartInProgress[] {
  return [...begun.values()].filter(({ workload }) => !byId.has(workload) && isBeingRead(workload, view));
}

/** Whether a workload that is not there may be: the one kind that is read late is still being read. */
function isBeingRead(id: string, { isIncomplete }: ClusterView): boolean {
  return isIncomplete && kindOf(id) === ARGO_ROLLOUTS.kind;
}

interface Memory {
  readonly begun: Begun;
  readonly refused: (id: string) => boolean;
  readonly now: string;
}

/** What is to be remembered: what restarts, what will, and what earlier configurations left unfinished. */
function inProgressWith(
  { chosen }: Wave,
  assessed: readonly AssessedWorkload[],
  { begun, refused, now }: Memory,
): readonly RestartInProgress[] {
  const isChosen = new Set(chosen);
  return assessed.flatMap((item): readonly RestartInProgress[] => {
    const { id, standing } = item;
    const before = begun.get(id);
    if (standing.kind === 'restarting') return [{ workload: id, since: standing.since, ...unsettledMark(before) }];
    if (standing.kind === 'current' || refused(id)) return [];
    if (standing.kind === 'stale' && isChosen.has(item)) return beginning(id, standing, before, now);
    return before === undefined ? [] : [before];
  });
}

function beginning(
  id: string,
  { takesNoSlot, triedSince, unsettled }: Extract<AssessedWorkload['standing'], { kind: 'stale' }>,
  before: RestartInProgress | undefined,
  now: string,
): readonly RestartInProgress[] {
  if (takesNoSlot) return [];
  // What we left in the middle was not unsettled by somebody else.
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

/** When time alone makes the first of the restarts late, or something that speaks against the configuration. */
function nextDeadlineMs(
  { chosen }: Wave,
  assessed: readonly AssessedWorkload[],
  { progressDeadlineSeconds, now }: Circumstances,
): number | undefined {
  const begun = assessed.flatMap(({ pods, standing }) => {
    if (standing.kind === 'restarting') return turningPoints({ pods }, standing.since, progressDeadlineSeconds);
    if (standing.kind !== 'stale' || standing.triedSince === undefined) return [];
    return [1, 2].flatMap((times) =>
      turningPoints({ pods: [] }, standing.triedSince ?? '', times * progressDeadlineSeconds),
    );
  });
  const beginning = chosen.flatMap(() => turningPoints({ pods: [] }, kubeTime(now), progressDeadlineSeconds));
  const next = [...begun, ...beginning].reduce(
    (least, at) => (at > now.getTime() ? Math.min(least, at) : least),
    Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(next) ? next - now.getTime() : undefined;
}
