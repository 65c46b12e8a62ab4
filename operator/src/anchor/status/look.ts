import type { AnchorPlan } from '../../../api/anchor/plan';
import type { LaggardPlan } from '../laggards/plan-laggards';
import type { TrustAnchor } from '../objects/trust-anchor';
import type { Observation, TrustView } from '../observe/observe';

/** A look, and what was made of it. */
export interface Look {
  readonly anchor: TrustAnchor;
  readonly view: TrustView;
  readonly observation: Observation;
  readonly plan: AnchorPlan;
  /** Absent where nothing is to be restarted. */
  readonly laggards?: LaggardPlan;
  /** The reason for which the last writes were refused. */
  readonly refused?: string;
}
