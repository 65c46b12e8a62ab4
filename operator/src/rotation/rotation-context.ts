import type { KubeClient } from '../runtime/client/kube-client';
import type { Logger } from '../runtime/telemetry/logger';

/** The means of a rotation. */
export interface RotationContext {
  readonly client: KubeClient;
  readonly log: Logger;
  /** The id of all attempts of one run, which do nothing twice; absent where everything is to be done. */
  readonly runId?: string;
  /** The time that the renewal of one certificate may take. */
  readonly renewalTimeoutMs: number;
  /** The time that the rollout of one Deployment may take. */
  readonly rolloutTimeoutMs: number;
  readonly signal: AbortSignal;
}
