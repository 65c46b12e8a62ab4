import { isSameValue } from '../../gitops/changes/same-value';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { apiGroup } from '../../kubernetes/scope';
import { isMap, type Value } from '../../kubernetes/values';
import type { ChangedObject } from './object-changes';

/** Kinds whose pods are replaced when their template changes. */
const RESTARTED: Readonly<Record<string, readonly string[]>> = {
  apps: ['DaemonSet', 'Deployment', 'StatefulSet'],
  'argoproj.io': ['Rollout'],
};

/** A workload, as messages name it. */
export interface Restarted {
  readonly name: string;
  readonly namespace: string | undefined;
}

/** The workloads whose pods are replaced: those of which the pod template differs, be it by the tag of an image. */
export function restartedWorkloads(changed: readonly ChangedObject[]): readonly Restarted[] {
  return changed
    .filter(({ before, after }) => isWorkload(after) && !isSameValue(podTemplate(before), podTemplate(after)))
    .map(({ after }) => ({ name: describeObject(after), namespace: after.metadata.namespace }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Tells objects whose pods are replaced when their template changes. */
function isWorkload({ apiVersion, kind }: KubernetesObject): boolean {
  return RESTARTED[apiGroup(apiVersion)]?.includes(kind) ?? false;
}

function podTemplate({ spec }: KubernetesObject): Value | undefined {
  return isMap(spec) ? spec.template : undefined;
}
