import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import type { Resource } from '#controller-runtime/objects/resource';
import type { Injection } from '../objects/injection';
import { slimMetadata } from '../objects/slim-metadata';
import type { Hold, RolloutRules } from './rollout-rules';

/** Argo Rollouts' own kind of workload, where its CRD is installed. */
export const ARGO_ROLLOUTS: Resource = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Rollout',
  plural: 'rollouts',
  namespaced: true,
};

/** The fields of a Rollout that are read. */
export interface ArgoRollout extends KubeObject {
  readonly kind: 'Rollout';
  readonly spec: {
    readonly paused?: boolean;
    /** Its controller replaces all pods that were created before this time. */
    readonly restartAt?: string;
  };
  readonly status?: { readonly phase?: string; readonly restartedAt?: string };
}

/** Restarts a Rollout by `restartAt`, with an unchanged template. */
export const ARGO_ROLLOUT_RULES: RolloutRules<ArgoRollout> = {
  resource: ARGO_ROLLOUTS,
  // Its CRD may accept a Rollout without a spec.
  slim: ({
    apiVersion,
    kind,
    metadata,
    spec,
    status,
  }: Partial<ArgoRollout> & Pick<ArgoRollout, 'kind' | 'metadata'>) => ({
    apiVersion,
    kind,
    metadata: slimMetadata(metadata),
    spec: { paused: spec?.paused, restartAt: spec?.restartAt },
    status: { phase: status?.phase, restartedAt: status?.restartedAt },
  }),
  carries: ({ spec }, injection) => time(spec.restartAt) >= time(restartTime(injection)),
  // A restart by any client counts.
  restartedSince: ({ spec: { restartAt } }) =>
    restartAt === undefined || Number.isNaN(time(restartAt)) ? undefined : kubeTime(new Date(time(restartAt) - 1000)),
  restart: (injection) => ({ restartAt: restartTime(injection) }),
  missing: ({ spec, status }) => {
    if (time(status?.restartedAt) < time(spec.restartAt)) return `all pods older than ${spec.restartAt} have ended`;
    return status?.phase === 'Healthy' ? undefined : `it is healthy (it is ${status?.phase ?? 'unknown'})`;
  },
  hold,
  scheduled: ({ spec: { restartAt } }, injection) =>
    time(restartAt) > time(restartTime(injection)) ? restartAt : undefined,
  // Its controller evicts pod by pod, which checks the budgets again.
  takesDown: () => 1,
};

function hold({ spec, status }: ArgoRollout): Hold | undefined {
  const isPaused = spec.paused === true || status?.phase === 'Paused';
  return isPaused ? { kind: 'paused', why: 'it is paused' } : undefined;
}

/** Returns the first second in which created pods are fresh. */
function restartTime({ since }: Injection): string {
  return kubeTime(new Date(Date.parse(since) + 1000));
}

/** Returns milliseconds since 1970; negative infinity if missing. */
function time(text: string | undefined): number {
  return text === undefined ? Number.NEGATIVE_INFINITY : Date.parse(text);
}
