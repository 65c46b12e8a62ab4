import type { Values } from '../../../api/kubernetes/values-merge';
import type { Baseline } from '../objects/baseline';

/** A write of a plan. Each of them can be repeated. */
export type ConfigStep =
  | { readonly do: 'add-finalizer' | 'remove-finalizer' | 'delete-baseline' }
  | { readonly do: 'keep-baseline'; readonly baseline: Baseline }
  | { readonly do: 'write-values'; readonly text: string };

/** A note for people about a plan that was carried out. */
export interface ConfigNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
}

/** The reason why a configuration cannot be put in force, as conditions say it. */
export interface ConfigProblem {
  readonly reason: string;
  readonly message: string;
}

/** The configuration that holds once the steps of a plan are done. */
export interface ConfigInForce {
  readonly values: Values;
  readonly valuesHash: string;
  /** The hash of the part that proxies have, for which they restart. */
  readonly configHash: string;
  /** The same hash of the configuration at the adoption, which runs where nobody restarted since. */
  readonly adoptedHash: string;
}

/** A plan for a ConfigMap. */
export interface ConfigPlan {
  readonly steps: readonly ConfigStep[];
  readonly notes: readonly ConfigNote[];
  /** Absent with a problem, and when the LinkerdConfig is being deleted. */
  readonly inForce?: ConfigInForce;
  readonly problem?: ConfigProblem;
  /** False where the problem is the LinkerdConfig itself. @default true */
  readonly isAccepted?: boolean;
}
