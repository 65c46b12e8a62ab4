import type { AnchorMemory } from '../memory';
import type { AnchorPolicy, ObservedTrust } from '../observed';
import type { AnchorAction, AwaitedSignature, MemberReport, Milestone } from '../plan';
import type { State, Watched } from './state';

/** Decides about an anchor: `next`, or one of the orders that are known to fail. */
export type Decide = (observed: ObservedTrust, now: number) => Decision;

/** The outcome of one look. */
export interface Decision {
  readonly milestones?: readonly Milestone[];
  readonly awaitedSignature?: AwaitedSignature;
  readonly report?: MemberReport;
  readonly memory: AnchorMemory;
  readonly actions: readonly AnchorAction[];
}

/** Clocks that go wrong: the ticks by which they are ahead of true time. */
export interface Clocks {
  /** Those of the operator's replicas: each look is by one of them. */
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
  /** The source from which the operator learns with which issuer identity works. */
  readonly evidence: 'metric' | 'events' | 'starts';
  /** Tells whether identity notices a new issuer by itself. */
  readonly isIdentityDeaf?: boolean;
  /** `any`: whatever can restart does so at any time. `operator`: when the operator has it do so. */
  readonly restarts: 'any' | 'operator';
  /** `at once`: nothing happens between the operator's writes of one look, except that it crashes. */
  readonly writes: 'at once' | 'interleaved';
  /** Parts that the operator may see late. */
  readonly late: readonly Watched[];
  /**
   * What the operator's probes find: all leaves in use; no proxy that answers; all leaves, and strangers that present
   * whatever they like. @default - nobody is asked
   */
  readonly probes?: 'all' | 'no answers' | 'lies';
  /** How far leaves really reach, where the operator is told something else. */
  readonly leavesLast?: number;
  /** Tells whether cert-manager may sign by who was asked a while ago. */
  readonly isCertManagerLate: boolean;
  /** The number of anchors that there may be. Of two, everybody knows one, and so accepts what comes with a bridge between them. */
  readonly keys: number;
  readonly isGoal: (state: State) => boolean;
  /** True where nobody ever signs a request. */
  readonly isUnsigned?: boolean;
  /** True where the old anchor comes near its end at some time. */
  readonly hasDeadline?: boolean;
}

/** True time at which nothing ends: lives are counted from here. */
export const FOREVER = 1_000_000;
