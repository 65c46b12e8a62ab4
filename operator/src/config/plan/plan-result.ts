import type { Values } from '#base/values';
import type { Baseline } from '../objects/baseline';

/** A repeatable write of a plan. */
export type ConfigStep =
  | { readonly do: 'add-finalizer' | 'remove-finalizer' | 'delete-baseline' }
  | { readonly do: 'keep-baseline'; readonly baseline: Baseline }
  | { readonly do: 'write-values'; readonly text: string };

/** A note about an executed plan. */
export interface ConfigNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
}

/** The reason why a configuration cannot be applied, as in conditions. */
export interface ConfigProblem {
  readonly reason: string;
  readonly message: string;
}

/** The configuration after the steps of a plan. */
export interface ConfigInForce {
  readonly values: Values;
  readonly valuesHash: string;
  /** The hash of the part that proxies use. Pods restart when it changes. */
  readonly configHash: string;
  /** The same hash at the adoption. Pods use that configuration until they restart. */
  readonly adoptedHash: string;
}

/** A plan for a ConfigMap. */
export interface ConfigPlan {
  readonly steps: readonly ConfigStep[];
  readonly notes: readonly ConfigNote[];
  /** Absent with a problem, and when the LinkerdConfig is being deleted. */
  readonly inForce?: ConfigInForce;
  readonly problem?: ConfigProblem;
  /** False if the LinkerdConfig itself is the problem. @default true */
  readonly isAccepted?: boolean;
}
