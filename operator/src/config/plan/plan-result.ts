import type { Values } from '../../../api/values-merge';
import type { Baseline } from '../objects/baseline';

/** A write that the plan wants, all of which can be done again. */
export type ConfigStep =
  | { readonly do: 'add-finalizer' | 'remove-finalizer' | 'delete-baseline' }
  | { readonly do: 'keep-baseline'; readonly baseline: Baseline }
  | { readonly do: 'write-values'; readonly text: string };

/** What people should be told about a plan that was carried out. */
export interface ConfigNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
}

/** Why a configuration cannot be put in force: the reason and the message of conditions. */
export interface ConfigProblem {
  readonly reason: string;
  readonly message: string;
}

/** The configuration that holds once the steps of a plan are done. */
export interface ConfigInForce {
  readonly values: Values;
  readonly valuesHash: string;
  /** Hash of what proxies have of them: what a restart is for. */
  readonly configHash: string;
  /** The same of the configuration at adoption: what runs where nobody restarted since. */
  readonly adoptedHash: string;
}

/** What is to be done about a ConfigMap, in order. */
export interface ConfigPlan {
  readonly steps: readonly ConfigStep[];
  readonly notes: readonly ConfigNote[];
  /** Absent with a problem, and when the LinkerdConfig is being deleted. */
  readonly inForce?: ConfigInForce;
  readonly problem?: ConfigProblem;
  /** With a problem: false where the LinkerdConfig itself is what is wrong. @default true */
  readonly isAccepted?: boolean;
}
