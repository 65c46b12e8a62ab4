import type { AssessedWorkload } from './assess';
import { type BudgetLedger, budgetLedger, type PodDisruptionBudget } from './disruption-budget';
import { rulesOf } from './workload';

/** A workload that is to be restarted, but not now. */
export interface Waiting {
  readonly id: string;
  readonly why: string;
}

/** What is done about the stale workloads now. */
export interface Wave {
  /** To be restarted now, in this order. */
  readonly chosen: readonly AssessedWorkload[];
  readonly restarting: readonly AssessedWorkload[];
  readonly waiting: readonly Waiting[];
  /** Rollouts that are beyond their deadline: while there is one, nothing is restarted. */
  readonly stuck: readonly Waiting[];
  /** How many follow when others are complete. */
  readonly queued: number;
}

/** What decides who may go. */
export interface WaveLimits {
  /** How many workloads restart at a time. */
  readonly maxUnavailableWorkloads: number;
  readonly budgets: readonly PodDisruptionBudget[];
  /** Workloads that we restarted for an earlier configuration and whose rollout may still go on. */
  readonly begun: ReadonlyMap<string, string>;
  /** Those of them that no cache has yet: they keep their places. */
  readonly unseen: readonly string[];
  /** Why a restart was refused of late, by the workload's id. */
  readonly refusals: ReadonlyMap<string, string>;
}

/** Chooses whom to restart. */
export function nextWave(assessed: readonly AssessedWorkload[], limits: WaveLimits): Wave {
  const restarting = assessed.filter(({ standing }) => standing.kind === 'restarting');
  const held = [
    ...assessed.flatMap(({ id, standing }) => (standing.kind === 'held' ? [{ id, why: standing.why }] : [])),
    ...limits.unseen.map((id) => ({ id, why: 'it is being read' })),
  ];
  const stuck = restarting.flatMap(({ id, standing }) =>
    standing.kind === 'restarting' && standing.overdue ? [{ id, why: standing.overdue }] : [],
  );
  const stale = inOrder(
    assessed.filter(({ standing }) => standing.kind === 'stale'),
    limits.begun,
  );
  if (stuck.length > 0) return { chosen: [], restarting, waiting: held, stuck, queued: stale.length };
  return { restarting, stuck, ...handOut(stale, { ...limits, restarting, held }) };
}

/** What there is to hand out restarts of. */
interface HandOut extends WaveLimits {
  readonly restarting: readonly AssessedWorkload[];
  readonly held: readonly Waiting[];
}

function handOut(stale: readonly AssessedWorkload[], limits: HandOut): Pick<Wave, 'chosen' | 'waiting' | 'queued'> {
  const ledger = budgetLedger(limits.budgets);
  for (const other of limits.restarting) ledger.take(other.pods, rulesOf(other.workload).takesDown(other.workload));
  const chosen: AssessedWorkload[] = [];
  const waiting: Waiting[] = [...limits.held];
  let slots = limits.maxUnavailableWorkloads - limits.restarting.length - limits.unseen.length;
  let queued = 0;
  for (const candidate of stale) {
    const takesNoSlot = candidate.standing.kind === 'stale' && candidate.standing.takesNoSlot;
    const why = limits.refusals.get(candidate.id) ?? (takesNoSlot ? undefined : objection(candidate, ledger));
    if (why !== undefined) waiting.push({ id: candidate.id, why });
    else if (!takesNoSlot && slots <= 0) queued += 1;
    else {
      chosen.push(candidate);
      if (takesNoSlot) continue;
      slots -= 1;
      ledger.take(candidate.pods, rulesOf(candidate.workload).takesDown(candidate.workload));
    }
  }
  return { chosen, waiting, queued };
}

function objection({ workload, pods }: AssessedWorkload, ledger: BudgetLedger): string | undefined {
  return ledger.objection(pods, rulesOf(workload).takesDown(workload));
}

/**
 * Those first that we left in the middle of a restart: what is new may be their cure. Those last whose rollout may never
 * end, and would stop the others: those that were stuck already, and those in the middle of a rollout of somebody else.
 */
function inOrder(stale: readonly AssessedWorkload[], begun: ReadonlyMap<string, string>): readonly AssessedWorkload[] {
  const rank = ({ id, standing }: AssessedWorkload): number => {
    if (standing.kind !== 'stale' || standing.unsettled === undefined) return 1;
    return begun.has(id) && !standing.isOverdue ? 0 : 2;
  };
  return stale.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
}
