import type { LabelSelector } from '#base/label-selector';
import { DEPLOYMENTS } from '#controller-runtime/objects/built-in-resources';
import {
  missingOfDeployment,
  overdueDeployment,
  type RollingDeployment,
} from '#controller-runtime/objects/deployment-rollout';
import { INJECTION_ANNOTATION, INJECTOR_WEBHOOK } from '#operator/api/names';
import { type IntOrPercent, resolveIntOrPercent } from '../objects/int-or-percent';
import { slimMetadata } from '../objects/slim-metadata';
import { carriesValue, restartedSince, restartTemplate, slimTemplate, type Templated } from './pod-template';
import type { RolloutRules } from './rollout-rules';

/** The fields of a Deployment that are read. */
export interface Deployment extends RollingDeployment, Templated {
  readonly kind: 'Deployment';
  readonly spec: Templated['spec'] &
    RollingDeployment['spec'] & {
      readonly paused?: boolean;
      readonly progressDeadlineSeconds?: number;
      readonly selector?: LabelSelector;
      readonly strategy?: {
        readonly type?: string;
        readonly rollingUpdate?: { readonly maxUnavailable?: IntOrPercent; readonly maxSurge?: IntOrPercent };
      };
    };
}

/** The seconds that mean no deadline for a Deployment (k8s.io/kubernetes, HasProgressDeadline). */
const NO_DEADLINE = 2_147_483_647;

/** Restarts a Deployment by a change of its pod template; its controller reports slow rollouts. */
export const DEPLOYMENT_RULES: RolloutRules<Deployment> = {
  resource: DEPLOYMENTS,
  slim,
  carries: carriesValue,
  restartedSince,
  restart: restartTemplate,
  missing: missingOfDeployment,
  hold: ({ spec }) => (spec.paused ? { kind: 'paused', why: 'it is paused' } : undefined),
  hasDeadline: ({ spec }) => spec.progressDeadlineSeconds !== NO_DEADLINE,
  overdue: overdueDeployment,
  refusedByInjector: ({ status }) => status?.conditions?.some(isInjectorsRefusal) ?? false,
  takesDown,
};

function slim({ apiVersion, kind, metadata, spec, status }: Deployment): Deployment {
  const { replicas, paused, progressDeadlineSeconds, selector, strategy } = spec;
  const { observedGeneration, replicas: current, updatedReplicas, availableReplicas, conditions } = status ?? {};
  return {
    apiVersion,
    kind,
    metadata: slimMetadata(metadata, [INJECTION_ANNOTATION]),
    spec: { replicas, paused, progressDeadlineSeconds, selector, strategy, template: slimTemplate({ spec }) },
    status: {
      observedGeneration,
      replicas: current,
      updatedReplicas,
      availableReplicas,
      conditions: conditions
        ?.filter((condition) => condition.type === 'Progressing' || isInjectorsRefusal(condition))
        .map(({ type, reason, message }) => ({ type, reason, message })),
    },
  };
}

type Condition = NonNullable<NonNullable<Deployment['status']>['conditions']>[number];

/** Whether the injector refuses pods. Other reasons, such as a quota, concern only the workload. */
function isInjectorsRefusal({ type, message }: Condition): boolean {
  return type === 'ReplicaFailure' && (message?.includes(INJECTOR_WEBHOOK) ?? false);
}

/**
 * Returns the same number as the Deployment controller: maxSurge is rounded up, maxUnavailable down, and if both are
 * zero, one pod may go.
 */
function takesDown({ spec, status }: Deployment): number {
  const { replicas = 1, strategy } = spec;
  const down = Math.max(0, replicas - (status?.availableReplicas ?? 0));
  if (strategy?.type === 'Recreate') return replicas - down;
  const { maxUnavailable = '25%', maxSurge = '25%' } = strategy?.rollingUpdate ?? {};
  const unavailable = resolveIntOrPercent(maxUnavailable, replicas, Math.floor);
  const surge = resolveIntOrPercent(maxSurge, replicas, Math.ceil);
  const allowed = unavailable === 0 && surge === 0 ? 1 : unavailable;
  return Math.max(0, Math.min(allowed, replicas) - down);
}
