import type { Injection } from '../objects/injection';
import type { PropagationAction } from './actions';
import type { ClusterView } from './cluster-view';
import type { Verdict } from './verdict';
import type { NamespaceWorkloads, UnmanagedPods } from './workload-lists';

/** A configuration that is to reach the proxies, and how. */
export interface PropagationTarget {
  /** Hash of the configuration that the control plane's ConfigMap holds. */
  readonly configHash: string;
  /** Hash of the configuration when the control plane was adopted: injectors that were never restarted have it. */
  readonly adoptedHash?: string;
  /** How many workloads restart at a time. */
  readonly maxUnavailableWorkloads: number;
  /** After how long a restart counts as stuck, or gives its place to others. */
  readonly progressDeadlineSeconds: number;
  /** What the status says of earlier plans. */
  readonly previous?: Partial<Pick<PropagationStatus, 'injector' | 'injectorRestart' | 'inProgress'>>;
}

/** The part of a status that tells how far a configuration is. */
export interface PropagationStatus {
  /** Since when every injector has the configuration. Absent before, and if it never had another. */
  readonly injector?: Injection;
  /** For which configuration the injector restarts, and since when. Absent when it does not. */
  readonly injectorRestart?: Injection;
  /** Restarts that are going on, or that begin with this plan. */
  readonly inProgress: readonly RestartInProgress[];
  /** Those of them that took too long, and whose places others have. Absent when there are none. */
  readonly passedBy?: RestartsPassedBy;
  readonly workloads: readonly NamespaceWorkloads[];
  readonly unmanagedPods: UnmanagedPods;
}

/** A restart that is not complete. */
export interface RestartInProgress {
  /** `namespace/Kind/name`. */
  readonly workload: string;
  /** When it was seen first. RFC 3339. */
  readonly since: string;
  /** Whether a rollout was not complete when it began, so that it says nothing about the configuration. */
  readonly unsettled?: boolean;
}

/** Restarts that took too long and do not speak against the configuration. So many are listed that a status stays small. */
interface RestartsPassedBy {
  readonly count: number;
  readonly restarts: readonly RestartPassedBy[];
}

/** One of them. */
interface RestartPassedBy {
  /** `namespace/Kind/name`. */
  readonly workload: string;
  readonly why: string;
}

/** The part of a plan that people are told. */
export interface PropagationReport extends Verdict {
  /** To be written before the plan is carried out: it remembers what the plan begins. */
  readonly status: PropagationStatus;
}

/** The next actions that bring a configuration to the proxies, and the state that they start from. */
export interface PropagationPlan {
  readonly actions: readonly PropagationAction[];
  readonly report: PropagationReport;
  /** After how many milliseconds time alone changes something. Absent when it never does. */
  readonly requeueAfterMs?: number;
}

/** All that a plan depends on. */
export type PlanInput = ClusterView & PropagationTarget & { readonly now: Date };
