import { DAEMON_SETS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { isObserved, UNOBSERVED } from '#controller-runtime/objects/observed';
import { type IntOrPercent, resolveIntOrPercent } from '../objects/int-or-percent';
import { slimMetadata } from '../objects/slim-metadata';
import { carriesValue, restartedSince, restartTemplate, slimTemplate, type Templated } from './pod-template';
import type { Hold, RolloutRules } from './rollout-rules';

/** The fields of a DaemonSet that are read. */
export interface DaemonSet extends KubeObject, Templated {
  readonly kind: 'DaemonSet';
  readonly spec: Templated['spec'] & {
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxUnavailable?: IntOrPercent; readonly maxSurge?: IntOrPercent };
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
  };
}

/** Restarts a DaemonSet by a change of its pod template, a few nodes at a time. */
export const DAEMON_SET_RULES: RolloutRules<DaemonSet> = {
  resource: DAEMON_SETS,
  slim,
  carries: carriesValue,
  restartedSince,
  restart: restartTemplate,
  missing,
  hold,
  takesDown,
};

function slim({ apiVersion, kind, metadata, spec, status }: DaemonSet): DaemonSet {
  const { observedGeneration, desiredNumberScheduled, updatedNumberScheduled, numberAvailable } = status ?? {};
  return {
    apiVersion,
    kind,
    metadata: slimMetadata(metadata),
    spec: { updateStrategy: spec.updateStrategy, template: slimTemplate({ spec }) },
    status: { observedGeneration, desiredNumberScheduled, updatedNumberScheduled, numberAvailable },
  };
}

/** Decides as `kubectl rollout status` does. */
function missing(set: DaemonSet): string | undefined {
  const { desiredNumberScheduled: wanted = 0, updatedNumberScheduled: updated = 0 } = set.status ?? {};
  const { numberAvailable: available = 0 } = set.status ?? {};
  if (!isObserved(set)) return UNOBSERVED;
  if (updated < wanted) return `${wanted} new pods exist (${updated} do)`;
  return available < wanted ? `${wanted} new pods are available (${available} are)` : undefined;
}

function hold({ spec }: DaemonSet): Hold | undefined {
  if (spec.updateStrategy?.type !== 'OnDelete') return undefined;
  return { kind: 'manual', why: 'its update strategy is OnDelete' };
}

/**
 * Returns the same number as the DaemonSet controller: percentages of nodes are rounded up, and with a surge no pod
 * goes down.
 */
function takesDown({ spec, status }: DaemonSet): number {
  const { desiredNumberScheduled: wanted = 0, numberAvailable: available = 0 } = status ?? {};
  const { maxUnavailable = 1, maxSurge = 0 } = spec.updateStrategy?.rollingUpdate ?? {};
  if (resolveIntOrPercent(maxSurge, wanted, Math.ceil) > 0) return 0;
  const allowed = Math.max(1, resolveIntOrPercent(maxUnavailable, wanted, Math.ceil));
  return Math.max(0, Math.min(allowed, wanted) - Math.max(0, wanted - available));
}
