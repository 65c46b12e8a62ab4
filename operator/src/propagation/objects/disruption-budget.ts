import { type LabelSelector, matchesSelector } from '#base/label-selector';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { isObserved } from '#controller-runtime/objects/observed';
import type { Pod } from './pod';
import { slimMetadata } from './slim-metadata';

/** The fields of a PodDisruptionBudget that are read. */
export interface PodDisruptionBudget extends KubeObject {
  readonly spec: { readonly selector?: LabelSelector };
  readonly status?: { readonly observedGeneration?: number; readonly disruptionsAllowed?: number };
}

/** Drops fields of a budget that are not read. */
export function slimBudget({ apiVersion, kind, metadata, spec, status }: PodDisruptionBudget): PodDisruptionBudget {
  const { observedGeneration, disruptionsAllowed } = status ?? {};
  return {
    apiVersion,
    kind,
    metadata: slimMetadata(metadata),
    spec: { selector: spec.selector },
    status: { observedGeneration, disruptionsAllowed },
  };
}

/** The disruptions that budgets still allow while restarts are chosen. */
export interface BudgetLedger {
  /** Returns why a budget forbids to take down `disruptions` of these pods; undefined if none does. */
  objection(pods: readonly Pod[], disruptions: number): string | undefined;
  /** Counts `disruptions` of these pods as down. */
  take(pods: readonly Pod[], disruptions: number): void;
}

/** Creates a ledger of the budgets. One whose controller has not observed its last change allows nothing. */
export function budgetLedger(budgets: readonly PodDisruptionBudget[]): BudgetLedger {
  const left = new Map(
    budgets.map((budget) => [budget, isObserved(budget) ? (budget.status?.disruptionsAllowed ?? 0) : 0]),
  );
  const candidates = budgetIndex(budgets);
  const protecting = (pods: readonly Pod[]): readonly PodDisruptionBudget[] =>
    candidates(pods).filter(({ spec }) => pods.some(({ metadata }) => matchesSelector(spec.selector, metadata.labels)));
  return {
    objection: (pods, disruptions) => {
      if (disruptions === 0) return undefined;
      const budget = protecting(pods).find((candidate) => (left.get(candidate) ?? 0) < disruptions);
      if (budget === undefined) return undefined;
      const allowed = Math.max(0, left.get(budget) ?? 0);
      return `PodDisruptionBudget ${budget.metadata.name} allows ${allowed} disruptions, the restart needs ${disruptions}`;
    },
    take: (pods, disruptions) => {
      if (disruptions === 0) return;
      for (const budget of protecting(pods)) left.set(budget, (left.get(budget) ?? 0) - disruptions);
    },
  };
}

/**
 * Returns a function that finds the budgets that may select one of a workload's pods, in their order: those that
 * require no label, or a label of a pod. A namespace may have thousands of other budgets.
 */
function budgetIndex(
  budgets: readonly PodDisruptionBudget[],
): (pods: readonly Pod[]) => readonly PodDisruptionBudget[] {
  const byLabel = Map.groupBy(budgets.entries(), ([, { metadata, spec }]) => {
    const [label] = Object.entries(spec.selector?.matchLabels ?? {});
    return JSON.stringify([metadata.namespace ?? '', ...(label ?? [])]);
  });
  return (pods) => {
    const namespace = pods[0]?.metadata.namespace ?? '';
    const labels = pods.flatMap(({ metadata }) => Object.entries(metadata.labels ?? {}));
    const keys = new Set([[], ...labels].map((label) => JSON.stringify([namespace, ...label])));
    const found = [...keys].flatMap((key) => byLabel.get(key) ?? []);
    return found.toSorted(([a], [b]) => a - b).map(([, budget]) => budget);
  };
}
