import type { Problem } from '#base/findings/problem';
import { isSameValue } from '#base/same-value';
import { type Value, type Values, valueAt } from '#base/values';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { apiGroup } from '../../kubernetes/scope';
import { REVIEW_FINDINGS } from '../findings';
import type { ChangedObject } from './object-changes';

/**
 * Fields that the API server does not change, by group and kind: `ValidateImmutableField` in the validation of
 * Kubernetes. Those that may change under conditions (such as the size of a claim) are left out.
 */
const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  'apps/DaemonSet': ['spec.selector'],
  'apps/Deployment': ['spec.selector'],
  'apps/StatefulSet': ['spec.selector', 'spec.serviceName', 'spec.volumeClaimTemplates'],
  'batch/Job': ['spec.selector', 'spec.template'],
  'rbac.authorization.k8s.io/ClusterRoleBinding': ['roleRef'],
  'rbac.authorization.k8s.io/RoleBinding': ['roleRef'],
  'apiextensions.k8s.io/CustomResourceDefinition': ['spec.group', 'spec.names.plural', 'spec.scope'],
};

const RECREATING: readonly (readonly [name: string, value: RegExp])[] = [
  ['helm.sh/hook', /./],
  ['argocd.argoproj.io/hook', /./],
  ['argocd.argoproj.io/sync-options', /\b(?:Force|Replace)=true\b/],
];

/** Checks that an object changes no immutable field. */
export function checkImmutable({ before, after }: Pick<ChangedObject, 'before' | 'after'>): readonly Problem[] {
  const changed = isRecreated(after) ? [] : immutableChanges({ before, after });
  if (changed.length === 0) return [];
  return [REVIEW_FINDINGS.immutableFieldChanged({ object: describeObject(after), fields: changed.join(', ') })];
}

/** Returns the changed immutable fields of an object. */
export function immutableChanges({ before, after }: Pick<ChangedObject, 'before' | 'after'>): readonly string[] {
  const fixed = IMMUTABLE[`${apiGroup(after.apiVersion)}/${after.kind}`] ?? [];
  return fixed.filter((path) => !isSameValue(at(before, path), at(after, path)));
}

/** Whether Argo CD deletes and recreates an object. */
export function isRecreated({ metadata: { annotations = {} } }: KubernetesObject): boolean {
  return RECREATING.some(([name, value]) => value.test(annotations[name] ?? ''));
}

function at(object: KubernetesObject, path: string): Value | undefined {
  return valueAt(object as unknown as Values, path);
}
