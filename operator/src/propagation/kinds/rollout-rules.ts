import type { KubeObject } from '../../runtime/objects/kube-object';
import type { Resource } from '../../runtime/objects/resource';
import type { Injection } from '../objects/injection';

/** Why a workload's pods are not replaced without a person. */
export type Hold =
  /** Its rollouts stand still; it is not touched until somebody lets them go on. */
  | { readonly kind: 'paused'; readonly why: string }
  /** Some of its pods stay behind when its rollout is complete. */
  | { readonly kind: 'partial'; readonly why: string }
  /** Somebody deletes its pods; it may be annotated at any time, which takes nothing down. */
  | { readonly kind: 'manual'; readonly why: string };

/** What is to be known about a kind of workload to restart it and to see how that goes. */
export interface RolloutRules<W extends KubeObject> {
  readonly resource: Resource;
  /** Drops what is not read. */
  readonly slim: (workload: W) => W;
  /** Whether it was told to restart for this configuration; see {@link restart}. */
  readonly carries: (workload: W, injection: Injection) => boolean;
  /** The `spec` of the merge patch that restarts it. */
  readonly restart: (injection: Injection) => Readonly<Record<string, unknown>>;
  /** What its rollout waits for; undefined once it is complete. */
  readonly missing: (workload: W) => string | undefined;
  readonly hold: (workload: W) => Hold | undefined;
  /** When somebody else has it restart, if at a time of his own: RFC 3339. */
  readonly scheduled?: (workload: W, injection: Injection) => string | undefined;
  /** Whether its own controller tells when a rollout takes too long; where absent, it never does. */
  readonly hasDeadline?: (workload: W) => boolean;
  /** What that controller says once a rollout took too long. */
  readonly overdue?: (workload: W) => string | undefined;
  /** Whether its controller is kept from creating pods by the injector itself; where absent, it cannot tell. */
  readonly refusedByInjector?: (workload: W) => boolean;
  /** How many pods that are available a rollout takes down at once, beyond those that are down already. */
  readonly takesDown: (workload: W) => number;
}
