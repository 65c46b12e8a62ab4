import { rulesOf } from '../kinds/workload';
import { type BudgetLedger, budgetLedger, type PodDisruptionBudget } from '../objects/disruption-budget';
import type { AssessedWorkload } from './assess';

/** A workload to restart later. */
export interface Waiting {
  readonly id: string;
  readonly why: string;
}

/** The decision about all workloads to restart. */
export interface Wave {
  /** Workloads to restart now, in this order. */
  readonly chosen: readonly AssessedWorkload[];
  readonly restarting: readonly AssessedWorkload[];
  readonly waiting: readonly Waiting[];
  /** Restarts with evidence against the configuration. While there is one, no other workload restarts. */
  readonly stuck: readonly Waiting[];
  /** Late restarts without evidence against the configuration, which gave up their slots. */
  readonly passedBy: readonly Waiting[];
  /** The number of workloads that follow when others are complete. */
  readonly queued: number;
}

/** The limits on restarts. */
export interface WaveLimits {
  /** Maximum number of workloads that restart at a time. */
  readonly maxUnavailableWorkloads: number;
  readonly budgets: readonly PodDisruptionBudget[];
  /** Workloads that were restarted for an earlier configuration and whose rollout may still be in progress. */
  readonly begun: ReadonlyMap<string, string>;
  /** Ids of the workloads among them that are not in a cache yet: they keep their slots. */
  readonly unseen: readonly string[];
  /** The reasons why restarts were recently rejected, by the workload's id. */
  readonly rejections: ReadonlyMap<string, string>;
}

/** Maximum number of incomplete restarts at a time, including skipped ones: the status names them all. */
export const MAX_INCOMPLETE = 1_000;

/** Chooses the workloads to restart now. */
export function nextWave(assessed: readonly AssessedWorkload[], limits: WaveLimits): Wave {
  const begun = assessed.filter(({ state }) => state.kind === 'restarting');
  const passedBy = assessed.flatMap(({ id, state }) =>
    'passedBy' in state && state.passedBy ? [{ id, why: state.passedBy }] : [],
  );
  const isPassedBy = new Set(passedBy.map(({ id }) => id));
  const restarting = begun.filter(({ id }) => !isPassedBy.has(id));
  const held = [
    ...assessed.flatMap(({ id, state }) => (state.kind === 'held' ? [{ id, why: state.why }] : [])),
    ...limits.unseen.map((id) => ({ id, why: 'the operator is still reading it' })),
  ];
  const stuck = restarting.flatMap(({ id, state }) =>
    state.kind === 'restarting' && state.overdue ? [{ id, why: state.overdue }] : [],
  );
  const stale = inOrder(
    assessed.filter(({ id, state }) => state.kind === 'stale' && !isPassedBy.has(id)),
    limits.begun,
    new Set(passedBy.map(({ id }) => namespaceOf(id))),
  );
  const progress = { restarting, stuck, passedBy };
  if (stuck.length > 0) return { ...progress, chosen: [], waiting: held, queued: stale.length };
  const isRemembered = ({ id, state }: AssessedWorkload): boolean =>
    state.kind === 'restarting' || (state.kind !== 'current' && limits.begun.has(id));
  const room = MAX_INCOMPLETE - assessed.filter(isRemembered).length - limits.unseen.length;
  return { ...progress, ...handOut(stale, { ...limits, begunNow: begun, room, restarting, held }) };
}

interface WaveInput extends WaveLimits {
  /** Restarts that are not complete. */
  readonly begunNow: readonly AssessedWorkload[];
  /** The number of further restarts that fit into the status. */
  readonly room: number;
  /** The restarts in `begunNow` with a slot. */
  readonly restarting: readonly AssessedWorkload[];
  readonly held: readonly Waiting[];
}

function handOut(stale: readonly AssessedWorkload[], limits: WaveInput): Pick<Wave, 'chosen' | 'waiting' | 'queued'> {
  const ledger = budgetLedger(limits.budgets);
  for (const other of limits.begunNow) ledger.take(other.pods, rulesOf(other.workload).takesDown(other.workload));
  const chosen: AssessedWorkload[] = [];
  const waiting: Waiting[] = [...limits.held];
  let slots = limits.maxUnavailableWorkloads - limits.restarting.length - limits.unseen.length;
  let { room } = limits;
  let queued = 0;
  /** Budgets are checked only for a workload that might restart now. */
  const choose = (candidate: AssessedWorkload): void => {
    const isNew = !limits.begun.has(candidate.id);
    if (slots <= 0 || (isNew && room <= 0)) {
      queued += 1;
      return;
    }
    const why = objection(candidate, ledger);
    if (why !== undefined) return void waiting.push({ id: candidate.id, why });
    chosen.push(candidate);
    slots -= 1;
    if (isNew) room -= 1;
    ledger.take(candidate.pods, rulesOf(candidate.workload).takesDown(candidate.workload));
  };
  for (const candidate of stale) {
    const refusal = limits.rejections.get(candidate.id);
    if (refusal !== undefined) waiting.push({ id: candidate.id, why: refusal });
    else if (candidate.state.kind === 'stale' && candidate.state.takesNoSlot) chosen.push(candidate);
    else choose(candidate);
  }
  return { chosen, waiting, queued };
}

function objection({ workload, pods }: AssessedWorkload, ledger: BudgetLedger): string | undefined {
  return ledger.objection(pods, rulesOf(workload).takesDown(workload));
}

/**
 * Sorts workloads. First those in the middle of the operator's own restart, which the new configuration may fix. Then
 * those without a rollout in progress, then those whose rollout may never end and would stop the others: stuck ones,
 * and those that another client is rolling out. Then those of namespaces with a skipped restart, which delay only each
 * other. Last those whose restart was tried before.
 */
function inOrder(
  stale: readonly AssessedWorkload[],
  begun: ReadonlyMap<string, string>,
  passedByIn: ReadonlySet<string>,
): readonly AssessedWorkload[] {
  const rank = ({ id, state }: AssessedWorkload): number => {
    const wasTried = state.kind === 'stale' && state.triedSince !== undefined;
    const later = (passedByIn.has(namespaceOf(id)) ? 3 : 0) + (wasTried ? 6 : 0);
    if (state.kind !== 'stale' || state.unsettled === undefined) return later + 1;
    return later + (begun.has(id) && !state.isOverdue ? 0 : 2);
  };
  return stale
    .map((item) => ({ item, rank: rank(item) }))
    .toSorted((a, b) => a.rank - b.rank || (a.item.id < b.item.id ? -1 : 1))
    .map(({ item }) => item);
}

function namespaceOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
