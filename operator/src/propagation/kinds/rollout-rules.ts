import type { KubeObject } from '../../runtime/objects/kube-object';
import type { Resource } from '../../runtime/objects/resource';
import type { Injection } from '../objects/injection';

/** The reason why the pods of a workload are not replaced without a person. */
export type Hold =
  /** Rollouts of the workload stand still. It is not touched until somebody lets them go on. */
  | { readonly kind: 'paused'; readonly why: string }
  /** Some pods stay behind when the rollout is complete. */
  | { readonly kind: 'partial'; readonly why: string }
  /** Somebody deletes the pods by hand. The workload may be annotated at any time, which takes nothing down. */
  | { readonly kind: 'manual'; readonly why: string };

/** The rules by which workloads of a kind are restarted, and by which their rollouts are judged. */
export interface RolloutRules<W extends KubeObject> {
  readonly resource: Resource;
  /** Drops what is not read. */
  readonly slim: (workload: W) => W;
  /** Tells whether a workload was told to restart for this configuration; see {@link restart}. */
  readonly carries: (workload: W, injection: Injection) => boolean;
  /** The `spec` of the merge patch that restarts it. */
  readonly restart: (injection: Injection) => Readonly<Record<string, unknown>>;
  /** Returns what the rollout of a workload waits for; undefined once it is complete. */
  readonly missing: (workload: W) => string | undefined;
  readonly hold: (workload: W) => Hold | undefined;
  /** Returns the time at which somebody else has a workload restart, in RFC 3339; undefined where nobody has. */
  readonly scheduled?: (workload: W, injection: Injection) => string | undefined;
  /** Tells whether the controller of a workload reports rollouts that take too long. Absent: it never does. */
  readonly hasDeadline?: (workload: W) => boolean;
  /** Returns the message of that controller once a rollout took too long. */
  readonly overdue?: (workload: W) => string | undefined;
  /** Tells whether the injector keeps the controller of a workload from creating pods. Absent: nobody can tell. */
  readonly refusedByInjector?: (workload: W) => boolean;
  /** Returns how many available pods a rollout takes down at once, beyond those that are down already. */
  readonly takesDown: (workload: W) => number;
}
