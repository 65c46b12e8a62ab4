import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import type { Injection } from '../objects/injection';

/** The reason why the pods of a workload are not replaced without a user. */
export type Hold =
  /** Rollouts of the workload are paused. It stays unchanged until they are resumed. */
  | { readonly kind: 'paused'; readonly why: string }
  /** Some pods are not replaced when the rollout is complete. */
  | { readonly kind: 'partial'; readonly why: string }
  /** Pods must be deleted by hand. The workload may be annotated at any time, which takes nothing down. */
  | { readonly kind: 'manual'; readonly why: string };

/** How workloads of a kind are restarted, and how their rollouts are judged. */
export interface RolloutRules<W extends KubeObject> {
  readonly resource: Resource;
  /** Drops fields that are not read. */
  readonly slim: (workload: W) => W;
  /** Whether a workload has been restarted for this configuration; see {@link restart}. */
  readonly carries: (workload: W, injection: Injection) => boolean;
  /** Returns the `since` of the last configuration of the same hash for which a workload has been restarted. */
  readonly restartedSince: (workload: W, injection: Injection) => string | undefined;
  /** The `spec` of the merge patch that restarts it. */
  readonly restart: (injection: Injection) => Readonly<Record<string, unknown>>;
  /** Returns what the rollout of a workload waits for; undefined once it is complete. */
  readonly missing: (workload: W) => string | undefined;
  readonly hold: (workload: W) => Hold | undefined;
  /** Returns the time at which another tool has scheduled a restart, in RFC 3339; undefined if none has. */
  readonly scheduled?: (workload: W, injection: Injection) => string | undefined;
  /** Whether the controller of a workload reports slow rollouts. Absent: it never does. */
  readonly hasDeadline?: (workload: W) => boolean;
  /** Returns the message of that controller once a rollout took too long. */
  readonly overdue?: (workload: W) => string | undefined;
  /** Whether the injector keeps the controller of a workload from creating pods. Absent: unknown. */
  readonly refusedByInjector?: (workload: W) => boolean;
  /** Returns how many available pods a rollout takes down at once, in addition to those that are already down. */
  readonly takesDown: (workload: W) => number;
}
