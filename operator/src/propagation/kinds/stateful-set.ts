import { STATEFUL_SETS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { isObserved, UNOBSERVED } from '#controller-runtime/objects/observed';
import { type IntOrPercent, resolveIntOrPercent } from '../objects/int-or-percent';
import { slimMetadata } from '../objects/slim-metadata';
import { carriesValue, restartedSince, restartTemplate, slimTemplate, type Templated } from './pod-template';
import type { Hold, RolloutRules } from './rollout-rules';

/** The fields of a StatefulSet that are read. */
export interface StatefulSet extends KubeObject, Templated {
  readonly kind: 'StatefulSet';
  readonly spec: Templated['spec'] & {
    readonly replicas?: number;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: IntOrPercent };
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
  };
}

/** Restarts a StatefulSet by a change of its pod template, pod by pod; a partition may keep some pods. */
export const STATEFUL_SET_RULES: RolloutRules<StatefulSet> = {
  resource: STATEFUL_SETS,
  slim,
  carries: carriesValue,
  restartedSince,
  restart: restartTemplate,
  missing,
  hold,
  takesDown,
};

function slim({ apiVersion, kind, metadata, spec, status }: StatefulSet): StatefulSet {
  const { replicas, updateStrategy } = spec;
  const { observedGeneration, readyReplicas, updatedReplicas, currentRevision, updateRevision } = status ?? {};
  return {
    apiVersion,
    kind,
    metadata: slimMetadata(metadata),
    spec: { replicas, updateStrategy, template: slimTemplate({ spec }) },
    status: { observedGeneration, readyReplicas, updatedReplicas, currentRevision, updateRevision },
  };
}

/** Decides as `kubectl rollout status` does. */
function missing(set: StatefulSet): string | undefined {
  const { replicas: wanted = 1, updateStrategy } = set.spec;
  const { readyReplicas: ready = 0, updatedReplicas: updated = 0, currentRevision, updateRevision } = set.status ?? {};
  if (!isObserved(set)) return UNOBSERVED;
  if (ready < wanted) return `${wanted} pods are ready (${ready} are)`;
  const { partition = 0 } = updateStrategy?.rollingUpdate ?? {};
  if (partition > 0) {
    const toUpdate = Math.max(0, wanted - partition);
    return updated < toUpdate ? `${toUpdate} new pods exist (${updated} do)` : undefined;
  }
  return currentRevision === updateRevision ? undefined : `all pods are of the new revision (${updated} are)`;
}

function hold({ spec }: StatefulSet): Hold | undefined {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  if (type === 'OnDelete') return { kind: 'manual', why: 'its update strategy is OnDelete' };
  const { partition = 0 } = rollingUpdate ?? {};
  return partition > 0 ? { kind: 'partial', why: `its partition keeps ${partition} pods unchanged` } : undefined;
}

function takesDown({ spec, status }: StatefulSet): number {
  const { replicas = 1, updateStrategy } = spec;
  const down = Math.max(0, replicas - (status?.readyReplicas ?? 0));
  const allowed = resolveIntOrPercent(updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, replicas, Math.ceil);
  return Math.max(0, Math.min(Math.max(allowed, 1), replicas) - down);
}
