import { INJECTOR_DEPLOYMENT } from '../../../api/names';
import { type PropagationAction, recordInjection, restartInjector, restartWorkload } from './actions';
import { type AssessedWorkload, assess, deadline, type Yardstick } from './assess';
import type { ClusterView } from './cluster-view';
import { type Injection, kubeTime } from './injection';
import { type InjectorState, injectorState } from './injector-state';
import { type OwnedPods, ownedPods } from './owners';
import { injectorVerdict, type Verdict, waveVerdict } from './verdict';
import { nextWave, type Wave } from './wave';
import { rulesOf, workloadId, workloadsById } from './workload';
import { type NamespaceWorkloads, namespaceWorkloads, type UnmanagedPods, unmanagedPods } from './workload-lists';

/** The configuration that is to reach the proxies, and how. */
export interface PropagationTarget {
  /** Hash of the configuration that the control plane's ConfigMap holds. */
  readonly configHash: string;
  /** Hash of the configuration when the control plane was adopted: injectors that were never restarted have it. */
  readonly adoptedHash?: string;
  /** How many workloads restart at a time. */
  readonly maxUnavailableWorkloads: number;
  /** After how long the restart of a workload without a deadline of its own counts as stuck. */
  readonly progressDeadlineSeconds: number;
  /** What the status says of earlier plans. */
  readonly previous?: Partial<Pick<PropagationStatus, 'injector' | 'inProgress'>>;
}

/** The part of a status that tells how far a configuration is. */
export interface PropagationStatus {
  /** Since when every injector has the configuration. Absent before, and if it never had another. */
  readonly injector?: Injection;
  /** Restarts that are going on, or that begin with this plan. */
  readonly inProgress: readonly RestartInProgress[];
  readonly workloads: readonly NamespaceWorkloads[];
  readonly unmanagedPods: UnmanagedPods;
}

interface RestartInProgress {
  /** `namespace/Kind/name`. */
  readonly workload: string;
  /** When it was seen first. RFC 3339. */
  readonly since: string;
}

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

/**
 * Decides what to do next so that all pods that ask for it run with the configuration: the injector is restarted with
 * it; then, a few at a time, the workloads whose pods were injected before that. Depends on nothing but its arguments,
 * and each step can be repeated: whatever went wrong, or goes on elsewhere, the plan of what is then seen is right.
 */
export function planPropagation(view: ClusterView, target: PropagationTarget, now: Date): PropagationPlan {
  const owned = ownedPods(view);
  const state = injectorState(view, target, now);
  const lists = { workloads: namespaceWorkloads(owned), unmanagedPods: unmanagedPods(owned.unmanaged) };
  const begun = new Map(target.previous?.inProgress?.map(({ workload, since }) => [workload, since]));
  if (state.kind !== 'injecting') {
    // What came up without proxies while the injector was away is complete, and is to be told of when it is back.
    const inProgress =
      state.kind === 'away'
        ? [...begun].map(([workload, since]) => ({ workload, since }))
        : [...unfinished(begun, view), ...unseenOf(begun, view)];
    const known = state.kind === 'away' ? { injector: state.injection } : {};
    const verdict = injectorVerdict(state, view.injector ? workloadId(view.injector) : INJECTOR_DEPLOYMENT);
    return {
      actions: injectorActions(state, target.configHash),
      report: { ...verdict, status: { ...known, inProgress, ...lists } },
    };
  }
  const { injection, injector } = state;
  const assessed = assessAll(view, owned, { ...target, injection, begun, now: kubeTime(now) });
  const unseen = unseenOf(begun, view);
  const wave = nextWave(assessed, { ...target, ...view, begun, unseen: unseen.map(({ workload }) => workload) });
  const refused = (id: string): boolean => view.refusals.has(id);
  const restarts = inProgressWith(wave, assessed, { begun, refused, now: kubeTime(now) });
  const inProgress = [...restarts, ...unseen].toSorted((a, b) => (a.workload < b.workload ? -1 : 1));
  return {
    actions: injection ? wave.chosen.map((chosen) => restartWorkload(chosen, injection, injector)) : [],
    report: { ...waveVerdict(wave), status: { injector: injection, inProgress, ...lists } },
    requeueAfterMs: nextDeadlineMs(wave, target, now),
  };
}

function injectorActions(state: InjectorState, configHash: string): readonly PropagationAction[] {
  if (state.kind === 'outdated') return [restartInjector(state.injector, configHash)];
  return state.kind === 'unrecorded' ? [recordInjection(state.injector, state.injection)] : [];
}

/** Those of earlier restarts that are not complete. */
function unfinished(begun: ReadonlyMap<string, string>, { workloads }: ClusterView): readonly RestartInProgress[] {
  const byId = workloadsById(workloads);
  return [...begun].flatMap(([id, since]) => {
    const workload = byId.get(id);
    return workload && rulesOf(workload).missing(workload) !== undefined ? [{ workload: id, since }] : [];
  });
}

/** Those of earlier restarts that cannot be seen yet. */
function unseenOf(begun: ReadonlyMap<string, string>, view: ClusterView): readonly RestartInProgress[] {
  if (!view.isIncomplete) return [];
  const byId = workloadsById(view.workloads);
  return [...begun].flatMap(([workload, since]) => (byId.has(workload) ? [] : [{ workload, since }]));
}

/**
 * Judges all workloads whose pods ask for it, and those in the middle of a restart, which may be without pods. One that
 * is not seen yet, though its pods are, has its turn later.
 */
function assessAll(view: ClusterView, { managed }: OwnedPods, yardstick: Yardstick): readonly AssessedWorkload[] {
  const byId = workloadsById(view.workloads);
  return [...new Set([...managed.keys(), ...yardstick.begun.keys()])].flatMap((id) => {
    const workload = byId.get(id);
    return workload ? [assess(id, workload, managed.get(id) ?? [], yardstick)] : [];
  });
}

interface Memory {
  readonly begun: ReadonlyMap<string, string>;
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
  return assessed.flatMap((item) => {
    const { id, standing } = item;
    if (standing.kind === 'restarting') return [{ workload: id, since: standing.since }];
    if (standing.kind === 'current' || refused(id)) return [];
    if (isChosen.has(item)) {
      return standing.kind === 'stale' && standing.takesNoSlot ? [] : [{ workload: id, since: now }];
    }
    const since = begun.get(id);
    return since === undefined ? [] : [{ workload: id, since }];
  });
}

/** When the first of the restarts without a deadline of their own is overdue. */
function nextDeadlineMs({ restarting, chosen }: Wave, target: PropagationTarget, now: Date): number | undefined {
  const deadlines = [...restarting, ...chosen].flatMap(({ workload, standing }) => {
    if (rulesOf(workload).hasDeadline?.(workload)) return [];
    const since = standing.kind === 'restarting' ? standing.since : kubeTime(now);
    const ms = deadline(since, target.progressDeadlineSeconds) - now.getTime();
    return ms > 0 ? [ms] : [];
  });
  return deadlines.length > 0 ? Math.min(...deadlines) : undefined;
}
