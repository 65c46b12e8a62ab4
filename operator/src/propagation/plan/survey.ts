import { kubeTime } from '#controller-runtime/objects/kube-time';
import { ARGO_ROLLOUTS } from '../kinds/argo-rollout';
import { kindOf, type Workload, workloadId } from '../kinds/workload';
import type { ClusterView } from './cluster-view';
import { type OwnedPods, podSorter } from './owners';
import type { PropagationStatus, PropagationTarget, RestartInProgress } from './propagation-plan';
import { namespaceWorkloads, unmanagedPods } from './workload-lists';

/** Number of objects to process before yielding to other work in this process. */
export const SLICE = 500;

/** Earlier restarts that were not complete, by the workload's id. */
export type Begun = ReadonlyMap<string, RestartInProgress>;

/** The parts of the cluster that a plan needs: workloads by id, pods by workload, and restarts in progress. */
export interface Survey {
  readonly byId: ReadonlyMap<string, Workload>;
  readonly owned: OwnedPods;
  readonly begun: Begun;
  readonly lists: Pick<PropagationStatus, 'workloads' | 'unmanagedPods'>;
}

/** Sorts the contents of a view. Yields after every {@link SLICE} objects. */
export function* survey(view: ClusterView, target: PropagationTarget, now: Date): Generator<void, Survey> {
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
  return { byId, owned, begun: begunRestarts(target.previous?.inProgress, now), lists };
}

/** Cuts a list into pieces of {@link SLICE} items. */
export function* inSlices<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += SLICE) yield items.slice(start, start + SLICE);
}

/** Treats pods with a missing workload as unmanaged, because a tenant may fake an owner. */
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

/** Returns earlier restarts, from the status. Missing start times, and those in the future, count as now. */
export function begunRestarts(inProgress: readonly RestartInProgress[] | undefined, now: Date): Begun {
  return new Map(
    inProgress?.map(({ workload, since, unsettled }) => {
      const isPast = Date.parse(since) <= now.getTime();
      return [workload, { workload, since: isPast ? since : kubeTime(now), ...(unsettled && { unsettled }) }];
    }),
  );
}

/** Returns the earlier restarts of workloads that are not visible yet. */
export function unseenOf(
  begun: Begun,
  byId: ReadonlyMap<string, Workload>,
  view: ClusterView,
): readonly RestartInProgress[] {
  return [...begun.values()].filter(({ workload }) => !byId.has(workload) && isBeingRead(workload, view));
}

/** Whether a missing workload may exist, because the cache of Rollouts, which starts late, is incomplete. */
function isBeingRead(id: string, { isIncomplete }: ClusterView): boolean {
  return isIncomplete && kindOf(id) === ARGO_ROLLOUTS.kind;
}
