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
  /** The number of workloads that restart at a time. */
  readonly maxUnavailableWorkloads: number;
  /** The seconds after which a restart counts as stuck, or gives its place to others. */
  readonly progressDeadlineSeconds: number;
  /** The status that earlier plans left. */
  readonly previous?: Partial<Pick<PropagationStatus, 'injector' | 'injectorRestart' | 'inProgress'>>;
}

/** The part of a status that tells how far a configuration is. */
export interface PropagationStatus {
  /** The configuration that every injector has. Absent until then, and where there never was another. */
  readonly injector?: Injection;
  /** The configuration that the injector restarts for. Absent when it does not restart. */
  readonly injectorRestart?: Injection;
  /** Restarts that are going on, or that begin with this plan. */
  readonly inProgress: readonly RestartInProgress[];
  /** The restarts that took too long, and whose places others have. Absent when there are none. */
  readonly passedBy?: RestartsPassedBy;
  readonly workloads: readonly NamespaceWorkloads[];
  readonly unmanagedPods: UnmanagedPods;
}

/** A restart that is not complete. */
export interface RestartInProgress {
  /** `namespace/Kind/name`. */
  readonly workload: string;
  /** The time at which the restart was first seen, in RFC 3339. */
  readonly since: string;
  /** True if a rollout went on when the restart began, which therefore says nothing about the configuration. */
  readonly unsettled?: boolean;
}

/** Restarts that took too long and do not speak against the configuration. So many are listed that a status stays small. */
interface RestartsPassedBy {
  readonly count: number;
  readonly restarts: readonly RestartPassedBy[];
}

/** A restart that took too long, and why. */
interface RestartPassedBy {
  /** `namespace/Kind/name`. */
  readonly workload: string;
  readonly why: string;
}

/** The part of a plan that people are told. */
export interface PropagationReport extends Verdict {
  /** The status, which is written before the plan is carried out: it remembers what the plan begins. */
  readonly status: PropagationStatus;
}

/** The next actions that bring a configuration to the proxies, and the state that they start from. */
export interface PropagationPlan {
  readonly actions: readonly PropagationAction[];
  readonly report: PropagationReport;
  /** The milliseconds after which time alone changes the plan. Absent when it never does. */
  readonly requeueAfterMs?: number;
}

/** All that a plan depends on. */
export type PlanInput = ClusterView & PropagationTarget & { readonly now: Date };
