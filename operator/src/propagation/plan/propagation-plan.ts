import type { Injection } from '../objects/injection';
import type { PropagationAction } from './actions';
import type { ClusterView } from './cluster-view';
import type { Verdict } from './verdict';
import type { NamespaceWorkloads, UnmanagedPods } from './workload-lists';

/** A configuration to propagate to proxies, and how. */
export interface PropagationTarget {
  /** Hash of the configuration in the control plane's ConfigMap. */
  readonly configHash: string;
  /** Hash of the configuration at the adoption of the control plane. Injectors that never restarted have it. */
  readonly adoptedHash?: string;
  /** Maximum number of workloads that restart at a time. */
  readonly maxUnavailableWorkloads: number;
  /**
   * Seconds after which a restart counts as stuck. If its new proxies do not start, all restarts stop. Otherwise, the
   * next workload restarts.
   */
  readonly progressDeadlineSeconds: number;
  /** The status of earlier plans. */
  readonly previous?: Partial<Pick<PropagationStatus, 'injector' | 'injectorRestart' | 'inProgress'>>;
}

/** The part of a status about the progress of a configuration. */
export interface PropagationStatus {
  /** The configuration that every injector has. Absent until all have one, and if it never changed. */
  readonly injector?: Injection;
  /** The configuration for which the injector restarts. Absent if it does not restart. */
  readonly injectorRestart?: Injection;
  /** Restarts that are in progress, or start with this plan. */
  readonly inProgress: readonly RestartInProgress[];
  /** The late restarts that gave up their slots. Absent if there are none. */
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
  /**
   * True if a rollout was in progress when the restart started. Its failure is no evidence against the configuration.
   */
  readonly unsettled?: boolean;
}

/** Late restarts without evidence against the configuration. The list is limited, so that a status stays small. */
interface RestartsPassedBy {
  readonly count: number;
  readonly restarts: readonly RestartPassedBy[];
}

interface RestartPassedBy {
  /** `namespace/Kind/name`. */
  readonly workload: string;
  readonly why: string;
}

/** The part of a plan that is reported. */
export interface PropagationReport extends Verdict {
  /** The status, which is written before the plan is executed: it records what the plan starts. */
  readonly status: PropagationStatus;
}

/** The next actions to propagate a configuration, and the state before them. */
export interface PropagationPlan {
  readonly actions: readonly PropagationAction[];
  readonly report: PropagationReport;
  /** The milliseconds after which time alone changes the plan. Absent if it never does. */
  readonly requeueAfterMs?: number;
}

/** Everything that a plan depends on. */
export type PlanInput = ClusterView & PropagationTarget & { readonly now: Date };
