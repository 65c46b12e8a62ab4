import { conditionOf } from '#base/conditions';
import type { KubeObject } from './kube-object';
import { isObserved, UNOBSERVED } from './observed';

/** The fields of a Deployment about its rollout. */
export interface RollingDeployment extends KubeObject {
  readonly spec: {
    /** Default: 1. */
    readonly replicas?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

interface Condition {
  readonly type: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Returns what a rollout waits for, as in `kubectl rollout status`; undefined once it is complete. */
export function missingOfDeployment(deployment: RollingDeployment): string | undefined {
  const { replicas: wanted = 1 } = deployment.spec;
  const { replicas = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = deployment.status ?? {};
  if (!isObserved(deployment)) return UNOBSERVED;
  if (updated < wanted) return `${wanted} new pods exist (${updated} do)`;
  if (replicas > updated) return `${replicas - updated} old pods have ended`;
  return available < updated ? `${updated} new pods are available (${available} are)` : undefined;
}

/** Returns its controller's message once the rollout exceeds the Deployment's own deadline. */
export function overdueDeployment(deployment: RollingDeployment): string | undefined {
  if (!isObserved(deployment)) return undefined;
  const { reason, message = reason } = conditionOf(deployment.status, 'Progressing') ?? {};
  return reason === 'ProgressDeadlineExceeded' ? message : undefined;
}
