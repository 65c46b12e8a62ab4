import type { AnchorPlan } from '#anchor/plan';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import type { Logger } from '#controller-runtime/telemetry/logger';
import type { KnownCertificate } from '../../pki/known-certificate';
import type { TrustAnchor } from '../objects/trust-anchor';
import type { Observation, TrustView } from '../observe/observe';

/** A plan, the observation that it is based on, and what executing it requires. */
export interface ActionContext {
  readonly client: KubeClient;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly clock: () => Date;
  /** The TrustAnchor as last written, with the memory of this plan. */
  readonly anchor: TrustAnchor;
  readonly view: TrustView;
  readonly trust: Observation['trust'];
  readonly known: readonly KnownCertificate[];
  readonly plan: AnchorPlan;
}

/** An object has changed since it was observed: the operator must observe again. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
}
