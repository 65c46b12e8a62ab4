import type { Injection } from './injection';
import type { Hold } from './kinds/rollout-rules';
import { isFresh, isInjected, type Pod } from './pod';
import { rulesOf, type Workload } from './workload';

/** How far a workload is with the configuration that the injector injects. */
export type Standing =
  /** Nothing is to be done, or never was. */
  | { readonly kind: 'current' }
  /** It runs with an older one. What its rollout waits for, if one is going on, is not our doing. */
  | {
      readonly kind: 'stale';
      readonly unsettled?: string;
      /** Whether it is still in a restart of ours for an earlier configuration, and beyond its deadline. */
      readonly isOverdue?: boolean;
      readonly takesNoSlot: boolean;
    }
  /** It was restarted, and that goes on. */
  | { readonly kind: 'restarting'; readonly since: string; readonly until: string; readonly overdue?: string }
  /** It goes on when a person does something. */
  | { readonly kind: 'held'; readonly why: string };

/** A workload with the pods that ask to be restarted. */
export interface AssessedWorkload {
  /** `namespace/Kind/name`. */
  readonly id: string;
  readonly workload: Workload;
  readonly pods: readonly Pod[];
  readonly standing: Standing;
}

/** What restarts are judged by. */
export interface Yardstick {
  /** Undefined while nobody has a reason to restart. */
  readonly injection?: Injection;
  /** Since when restarts are known to go on, by the workload's id. */
  readonly begun: ReadonlyMap<string, string>;
  /** RFC 3339. */
  readonly now: string;
  /** For workloads whose own controller has no deadline. */
  readonly progressDeadlineSeconds: number;
}

/** Judges a workload. */
export function assess(id: string, workload: Workload, pods: readonly Pod[], yardstick: Yardstick): AssessedWorkload {
  return { id, workload, pods, standing: standing(id, workload, pods, yardstick) };
}

function standing(id: string, workload: Workload, pods: readonly Pod[], yardstick: Yardstick): Standing {
  const { injection, begun } = yardstick;
  if (injection === undefined) return { kind: 'current' };
  const rules = rulesOf(workload);
  const hold = rules.hold(workload);
  const until = rules.missing(workload);
  const isStale = pods.some((pod) => isInjected(pod) && !isFresh(pod, injection));
  if (!rules.carries(workload, injection)) {
    if (!isStale) return { kind: 'current' };
    if (hold?.kind === 'paused') return { kind: 'held', why: hold.why };
    const isOverdue = until !== undefined && begun.has(id) && overdueText(id, workload, yardstick) !== undefined;
    return { kind: 'stale', unsettled: until, isOverdue, takesNoSlot: hold?.kind === 'manual' };
  }
  return afterRestart({ id, workload, pods, isStale, hold, until }, injection, yardstick);
}

interface Restarted {
  readonly id: string;
  readonly workload: Workload;
  readonly pods: readonly Pod[];
  readonly isStale: boolean;
  readonly hold: Hold | undefined;
  readonly until: string | undefined;
}

function afterRestart(
  { id, workload, pods, isStale, hold, until }: Restarted,
  injection: Injection,
  yardstick: Yardstick,
): Standing {
  const { begun, now } = yardstick;
  const scheduled = rulesOf(workload).scheduled?.(workload, injection);
  // Until then, nothing is late.
  if (scheduled !== undefined && Date.parse(scheduled) > Date.parse(now)) {
    return isStale ? { kind: 'held', why: `it restarts by itself at ${scheduled}` } : { kind: 'current' };
  }
  // A rollout that somebody else began after ours was complete is not ours to judge.
  const since = begun.get(id);
  const isOurs = isStale || since !== undefined;
  const bare = pods.filter((pod) => !isInjected(pod) && isFresh(pod, injection)).length;
  if (since !== undefined && bare > 0) return unproxied(bare, since);
  const isRolling = until !== undefined && (hold === undefined || hold.kind === 'partial');
  if (isRolling && isOurs) return restarting({ id, workload, until }, yardstick);
  return hold !== undefined && isStale ? { kind: 'held', why: hold.why } : { kind: 'current' };
}

/** It had proxies before we restarted it: who goes on takes the mesh apart. */
function unproxied(pods: number, since: string): Standing {
  const overdue = `${pods} of its new pods have no proxy`;
  return { kind: 'restarting', since, until: 'its new pods have proxies', overdue };
}

function restarting(
  { id, workload, until }: { readonly id: string; readonly workload: Workload; readonly until: string },
  yardstick: Yardstick,
): Standing {
  const since = yardstick.begun.get(id) ?? yardstick.now;
  return { kind: 'restarting', since, until, overdue: overdueText(id, workload, yardstick) };
}

/** By its own controller's deadline, or by ours where it has none. */
function overdueText(id: string, workload: Workload, yardstick: Yardstick): string | undefined {
  const rules = rulesOf(workload);
  if (rules.hasDeadline?.(workload)) return rules.overdue?.(workload);
  return overdueSince(yardstick.begun.get(id) ?? yardstick.now, yardstick);
}

function overdueSince(since: string, { now, progressDeadlineSeconds }: Yardstick): string | undefined {
  const isOverdue = Date.parse(now) >= deadline(since, progressDeadlineSeconds);
  return isOverdue ? `it is not complete after ${progressDeadlineSeconds} s` : undefined;
}

/** When a restart that began then is overdue, in milliseconds since 1970. */
export function deadline(since: string, progressDeadlineSeconds: number): number {
  return Date.parse(since) + progressDeadlineSeconds * 1000;
}
