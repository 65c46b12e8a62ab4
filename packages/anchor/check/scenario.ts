import type { AnchorMemory } from '../memory';
import type { AnchorPolicy, ObservedTrust } from '../observed';
import type { AnchorAction, AwaitedSignature, MemberReport, Milestone } from '../plan';
import type { State, Watched } from './state';

/** Decides about an anchor: `next`, or one of the orders that are known to fail. */
export type Decide = (observed: ObservedTrust, now: number) => Decision;

/** The outcome of one reconciliation. */
export interface Decision {
  readonly milestones?: readonly Milestone[];
  readonly awaitedSignature?: AwaitedSignature;
  readonly report?: MemberReport;
  readonly memory: AnchorMemory;
  readonly actions: readonly AnchorAction[];
}

/** The ticks by which clocks are ahead of true time. */
export interface Clocks {
  /** The clocks of the operator's replicas: each reconciliation uses one of them. */
  readonly operator: readonly number[];
  readonly certManager: number;
  readonly nodes: number;
}

/** A world to be explored. */
export interface Scenario {
  readonly name: string;
  readonly policy: AnchorPolicy;
  readonly clocks: Clocks;
  readonly start: State;
  /** The source from which the operator learns which issuer identity uses. */
  readonly evidence: 'metric' | 'events' | 'starts';
  /** True if identity loads a new issuer only when it restarts. */
  readonly isIdentityDeaf?: boolean;
  /** `any`: pods restart at any time. `operator`: pods restart only when the operator restarts them. */
  readonly restarts: 'any' | 'operator';
  /** `at once`: only a crash can come between the operator's writes of one reconciliation. */
  readonly writes: 'at once' | 'interleaved';
  /** Parts that the operator may see late. */
  readonly late: readonly Watched[];
  /**
   * What the operator's probes find: all leaves in use; no proxy that answers; all leaves, and arbitrary certificates
   * of pods outside the mesh. @default - the operator does not probe
   */
  readonly probes?: 'all' | 'no answers' | 'lies';
  /** How long leaves really live, if the policy says something else. */
  readonly leavesLast?: number;
  /** True if cert-manager may sign with a signer that was requested earlier. */
  readonly isCertManagerLate: boolean;
  /** Maximum number of anchors. With two, each proxy trusts at least one, and so accepts leaves with the bridge. */
  readonly keys: number;
  readonly isGoal: (state: State) => boolean;
  /** True where no user ever signs a request. */
  readonly isUnsigned?: boolean;
  /** True where the old anchor nears its expiry at some time. */
  readonly hasDeadline?: boolean;
}

/** A lifetime, in ticks, that no exploration reaches. */
export const FOREVER = 1_000_000;
