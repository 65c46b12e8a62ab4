import { createHash } from 'node:crypto';
import type { Patch } from '#controller-runtime/client/kube-client';
import {
  missingOfDeployment,
  overdueDeployment,
  type RollingDeployment,
} from '#controller-runtime/objects/deployment-rollout';
import { CERTIFICATES_ANNOTATION, ROTATION_ANNOTATION } from '../../api/names';

/** The fields of a Deployment that are read. */
export interface RotatedDeployment extends RollingDeployment {
  readonly spec: RollingDeployment['spec'] & {
    readonly paused?: boolean;
    readonly template: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  };
}

/** Identifies the certificates with which pods were started: short SHA-256 of their fingerprints, by name. */
export function certificatesHash(fingerprints: ReadonlyMap<string, string>): string {
  const lines = [...fingerprints].map(([name, fingerprint]) => `${name} ${fingerprint}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex').slice(0, 16);
}

/**
 * Returns the patch that restarts a Deployment's pods unless they were started with these certificates; the same write
 * records the run.
 */
export function restartPatch(hash: string, runId: string | undefined): Patch {
  return {
    type: 'merge',
    body: {
      ...(runId !== undefined && { metadata: { annotations: { [ROTATION_ANNOTATION]: runId } } }),
      spec: { template: { metadata: { annotations: { [CERTIFICATES_ANNOTATION]: hash } } } },
    },
  };
}

/** Whether a run has renewed the Deployment's certificates and restarted it, or at least started to. */
export function isRestartedBy(runId: string | undefined, { metadata }: RotatedDeployment): boolean {
  return runId !== undefined && metadata.annotations?.[ROTATION_ANNOTATION] === runId;
}

/** The state of a rollout. */
export type RolloutStep =
  | { readonly kind: 'complete' }
  | { readonly kind: 'wait'; readonly until: string }
  | { readonly kind: 'fail'; readonly reason: RolloutFailure; readonly message: string };

type RolloutFailure = 'RolloutFailed' | 'RolloutTimedOut';

/**
 * Returns the state of a rollout: complete when all pods have the current template and are available, as in `kubectl
 * rollout status`.
 */
export function rolloutStep(deployment: RotatedDeployment, overdue: boolean): RolloutStep {
  const until = missingOfDeployment(deployment);
  if (until === undefined) return { kind: 'complete' };
  const stuck = overdueDeployment(deployment);
  if (stuck !== undefined) return { kind: 'fail', reason: 'RolloutFailed', message: `the rollout is stuck: ${stuck}` };
  if (!overdue) return { kind: 'wait', until };
  return {
    kind: 'fail',
    reason: 'RolloutTimedOut',
    message: `the rollout did not end in time: it waits until ${until}`,
  };
}
