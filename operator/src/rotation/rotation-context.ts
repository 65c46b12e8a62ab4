import type { KubeClient } from '#controller-runtime/client/kube-client';
import type { Logger } from '#controller-runtime/telemetry/logger';

/** The context of a rotation. */
export interface RotationContext {
  readonly client: KubeClient;
  readonly log: Logger;
  /** The id of all attempts of one run, which skip completed steps; absent to execute all steps. */
  readonly runId?: string;
  /** Maximum time for the renewal of one certificate. */
  readonly renewalTimeoutMs: number;
  /** Maximum time for the rollout of one Deployment. */
  readonly rolloutTimeoutMs: number;
  readonly signal: AbortSignal;
}
