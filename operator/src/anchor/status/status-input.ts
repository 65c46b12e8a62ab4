import type { Pairs } from '#anchor/pairs';
import type { AnchorPlan } from '#anchor/plan';
import type { LaggardPlan } from '../laggards/plan-laggards';
import type { TrustAnchor } from '../objects/trust-anchor';
import type { Observation, TrustView } from '../observe/observe';

/** An observation, and its results. */
export interface StatusInput {
  readonly anchor: TrustAnchor;
  readonly view: TrustView;
  readonly observation: Observation;
  readonly plan: AnchorPlan;
  readonly pairs: Pairs;
  /** Absent if nothing has to restart. */
  readonly laggards?: LaggardPlan;
  /** The reason why the last writes were refused. */
  readonly refused?: string;
}
