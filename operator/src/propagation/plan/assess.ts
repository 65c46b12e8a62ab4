import type { Hold } from '../kinds/rollout-rules';
import { rulesOf, type Workload } from '../kinds/workload';
import type { Injection } from '../objects/injection';
import { isFresh as isFreshPod, isInjected, isServing, type Pod } from '../objects/pod';

/** The state of a workload compared with the configuration of the injector. */
export type RolloutState =
  /** No action needed. */
  | { readonly kind: 'current' }
  /** The workload has an older configuration. If a rollout is in progress, the operator did not start it. */
  | {
      readonly kind: 'stale';
      readonly unsettled?: string;
      /** True if a restart for an earlier configuration is in progress and beyond its deadline. */
      readonly isOverdue?: boolean;
      readonly takesNoSlot: boolean;
      /** The time of the first restart for this configuration that failed or was undone. */
      readonly triedSince?: string;
      /** The reason why the restart is not retried for now. */
      readonly passedBy?: string;
    }
  /** The workload was restarted, and its rollout is in progress. */
  | {
      readonly kind: 'restarting';
      readonly since: string;
      readonly until: string;
      /** The reason why the restart counts as late. */
      readonly overdue?: string;
      /** The reason why the restart gives up its slot, though there is no evidence against the configuration. */
      readonly passedBy?: string;
    }
  /** The workload waits for a user. */
  | { readonly kind: 'held'; readonly why: string };

/** A workload with its pods that request restarts. */
export interface AssessedWorkload {
  /** `namespace/Kind/name`. */
  readonly id: string;
  readonly workload: Workload;
  readonly pods: readonly Pod[];
  readonly state: RolloutState;
}

/** How restarts are judged. */
export interface RestartCriteria {
  /** The configuration of the injectors; undefined while there is no reason to restart anything. */
  readonly injection?: Injection;
  /** The times since which restarts are known to be in progress, by the workload's id. */
  readonly begun: ReadonlyMap<string, string>;
  /** Ids of the restarting workloads whose rollouts were incomplete before the restart. Default: none. */
  readonly unsettledBefore?: ReadonlySet<string>;
  /** Whether a pod needs no restart. Default: it is as new as the configuration, or was restarted for it. */
  readonly isFresh?: (pod: Pod, injection: Injection) => boolean;
  /** Whether the injector should add a proxy to a pod. Default: to each. */
  readonly asksForProxy?: (pod: Pod) => boolean;
  /** The current time, in RFC 3339. */
  readonly now: string;
  /** The seconds after which a restart gives up its slot, unless there is evidence against the configuration. */
  readonly progressDeadlineSeconds: number;
}

/** Judges a workload. */
export function assess(
  id: string,
  workload: Workload,
  pods: readonly Pod[],
  criteria: RestartCriteria,
): AssessedWorkload {
  return { id, workload, pods, state: rolloutState(id, workload, pods, criteria) };
}

function rolloutState(id: string, workload: Workload, pods: readonly Pod[], criteria: RestartCriteria): RolloutState {
  const { injection, begun, isFresh = isFreshPod } = criteria;
  if (injection === undefined) return { kind: 'current' };
  const rules = rulesOf(workload);
  const hold = holdOf(workload);
  const until = rules.missing(workload);
  const isStale = pods.some((pod) => isInjected(pod) && !isFresh(pod, injection));
  if (!rules.carries(workload, injection)) {
    if (!isStale) return { kind: 'current' };
    if (hold?.kind === 'paused') return { kind: 'held', why: hold.why };
    const isOverdue = until !== undefined && begun.has(id) && overdueText(id, workload, criteria) !== undefined;
    const isManual = hold?.kind === 'manual';
    const tried = isManual ? {} : triedBefore(begun.get(id), injection, criteria);
    return { kind: 'stale', unsettled: until, isOverdue, takesNoSlot: isManual, ...tried };
  }
  return afterRestart({ id, workload, pods, isStale, hold, until }, injection, criteria);
}

/**
 * Returns earlier attempts to restart a workload for this configuration: the process may have ended before the write,
 * or another tool may have undone it. An attempt lasts until the deadline. The next one starts after the same time
 * again.
 */
function triedBefore(
  since: string | undefined,
  injection: Injection,
  criteria: RestartCriteria,
): { readonly triedSince?: string; readonly passedBy?: string } {
  const isOfThis = since !== undefined && Date.parse(since) >= Date.parse(injection.since);
  const { progressDeadlineSeconds: seconds, now } = criteria;
  if (!isOfThis || Date.parse(now) >= deadline(since, 2 * seconds)) return {};
  const isOver = overdueSince(since, criteria) !== undefined;
  return { triedSince: since, ...(isOver && { passedBy: `it could not be restarted in ${seconds} s` }) };
}

/**
 * Returns the hold of a workload. A workload that is being deleted may remain as long as its finalizers, and its
 * controller ignores it.
 */
function holdOf(workload: Workload): Hold | undefined {
  if (workload.metadata.deletionTimestamp !== undefined) return { kind: 'paused', why: 'it is being deleted' };
  return rulesOf(workload).hold(workload);
}

interface Restarted {
  readonly id: string;
  readonly workload: Workload;
  readonly pods: readonly Pod[];
  readonly isStale: boolean;
  readonly hold: Hold | undefined;
  readonly until: string | undefined;
}

function afterRestart(restarted: Restarted, injection: Injection, criteria: RestartCriteria): RolloutState {
  const { id, workload, pods, isStale, hold, until } = restarted;
  const { begun, now, asksForProxy = () => true, isFresh = isFreshPod } = criteria;
  const scheduled = rulesOf(workload).scheduled?.(workload, injection);
  // Before the scheduled time, no restart is late.
  if (scheduled !== undefined && Date.parse(scheduled) > Date.parse(now)) {
    return isStale ? { kind: 'held', why: `it restarts automatically at ${scheduled}` } : { kind: 'current' };
  }
  // Another client's rollout after the operator's complete one is not judged.
  const since = begun.get(id);
  const isOurs = isStale || since !== undefined;
  const bare = pods.filter((pod) => !isInjected(pod) && isFresh(pod, injection) && asksForProxy(pod)).length;
  if (since !== undefined && bare > 0) return unproxied(bare, since);
  const isRolling = until !== undefined && (hold === undefined || hold.kind === 'partial');
  if (isRolling && isOurs) return restarting({ ...restarted, until }, injection, criteria);
  return hold !== undefined && isStale ? { kind: 'held', why: hold.why } : { kind: 'current' };
}

/** Reports pods that had proxies before the restart: continuing would remove proxies from the mesh. */
function unproxied(pods: number, since: string): RolloutState {
  const overdue = `${pods} of its new pods have no proxy`;
  return { kind: 'restarting', since, until: 'its new pods have proxies', overdue };
}

/**
 * Judges a restart in progress. The workload's controller may report a delay earlier, or never. At the operator's
 * deadline, evidence against the configuration stops all other restarts. Without evidence, they get the slot.
 */
function restarting(
  restarted: Restarted & { readonly until: string },
  injection: Injection,
  criteria: RestartCriteria,
): RolloutState {
  const { id, workload, until } = restarted;
  const since = criteria.begun.get(id) ?? criteria.now;
  const late = overdueText(id, workload, criteria);
  const tooLong = overdueSince(since, criteria);
  if (tooLong === undefined) return { kind: 'restarting', since, until, overdue: late };
  const judged = judge(restarted, injection, criteria);
  if ('evidence' in judged) {
    return { kind: 'restarting', since, until, overdue: `${late ?? tooLong}: ${judged.evidence}` };
  }
  return { kind: 'restarting', since, until, overdue: late, passedBy: `${tooLong}: ${judged.excuse}` };
}

function judge(
  { id, workload, pods }: Restarted,
  injection: Injection,
  criteria: RestartCriteria,
): { readonly evidence: string } | { readonly excuse: string } {
  const { overdue, refusedByInjector } = rulesOf(workload);
  if (criteria.unsettledBefore?.has(id)) return { excuse: 'it was already incomplete before the restart' };
  if (refusedByInjector?.(workload)) return { evidence: 'the injector refuses its new pods' };
  const { isFresh = isFreshPod } = criteria;
  const fresh = pods.filter((pod) => isInjected(pod) && isFresh(pod, injection));
  const failing = fresh.filter((pod) => !isServing(pod));
  // Pods of a failed rollout, or pods that had enough time. In a slow rollout, one pod has always just started.
  const failed = overdue?.(workload) ? failing : failing.filter((pod) => hasHadTime(pod, criteria));
  if (failed.length > 0) return { evidence: `${failed.length} of its new pods are not ready` };
  return { excuse: fresh.length === 0 ? 'it has no new pods' : 'its new pods become ready, but some are missing' };
}

function hasHadTime(pod: Pod, { now, progressDeadlineSeconds }: RestartCriteria): boolean {
  return Date.parse(now) >= timeIsUp(pod, progressDeadlineSeconds);
}

/** Returns when a pod that is not ready counts as failed, in milliseconds since 1970: after half of the deadline. */
function timeIsUp({ metadata }: Pod, progressDeadlineSeconds: number): number {
  return Date.parse(metadata.creationTimestamp ?? '') + progressDeadlineSeconds * 500;
}

/** Applies the deadline of the workload's own controller, or the operator's if it has none. */
function overdueText(id: string, workload: Workload, criteria: RestartCriteria): string | undefined {
  const rules = rulesOf(workload);
  if (rules.hasDeadline?.(workload)) return rules.overdue?.(workload);
  return overdueSince(criteria.begun.get(id) ?? criteria.now, criteria);
}

function overdueSince(since: string, { now, progressDeadlineSeconds }: RestartCriteria): string | undefined {
  const isOverdue = Date.parse(now) >= deadline(since, progressDeadlineSeconds);
  return isOverdue ? `it is not complete after ${progressDeadlineSeconds} s` : undefined;
}

/** Returns when a restart that started at `since` is late, in milliseconds since 1970. */
export function deadline(since: string, progressDeadlineSeconds: number): number {
  return Date.parse(since) + progressDeadlineSeconds * 1000;
}

/** Returns the times at which time alone may change the state of a restart, in milliseconds since 1970. */
export function turningPoints(
  { pods }: Pick<AssessedWorkload, 'pods'>,
  since: string,
  progressDeadlineSeconds: number,
): readonly number[] {
  const failing = pods.filter((pod) => isInjected(pod) && !isServing(pod));
  return [
    deadline(since, progressDeadlineSeconds),
    ...failing.map((pod) => timeIsUp(pod, progressDeadlineSeconds)).filter(Number.isFinite),
  ];
}
