import { isSameValue } from '#base/same-value';
import { isMap, type Value, type Values, valueAt } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';

/** A field, with the default of the API server if it has one. */
type Field = string | readonly [path: string, otherwise: Value];

/**
 * Fields that the API server does not change, by group and kind: `ValidateImmutableField` and
 * `ValidateStatefulSetUpdate` in the validation of Kubernetes. Fields that may change under conditions (such as the
 * size of a claim) are left out.
 */
const IMMUTABLE: Readonly<Record<string, readonly Field[]>> = {
  '/ConfigMap': [],
  '/PersistentVolumeClaim': ['spec.accessModes', 'spec.selector', ['spec.volumeMode', 'Filesystem']],
  '/Secret': [['type', 'Opaque']],
  'apps/DaemonSet': ['spec.selector'],
  'apps/Deployment': ['spec.selector'],
  'apps/ReplicaSet': ['spec.selector'],
  'apps/StatefulSet': [
    'spec.selector',
    'spec.serviceName',
    'spec.volumeClaimTemplates',
    ['spec.podManagementPolicy', 'OrderedReady'],
  ],
  'batch/Job': ['spec.selector', 'spec.template', ['spec.completionMode', 'NonIndexed'], 'spec.podFailurePolicy'],
  'discovery.k8s.io/EndpointSlice': ['addressType'],
  'networking.k8s.io/IngressClass': ['spec.controller'],
  'node.k8s.io/RuntimeClass': ['handler'],
  'rbac.authorization.k8s.io/ClusterRoleBinding': ['roleRef'],
  'rbac.authorization.k8s.io/RoleBinding': ['roleRef'],
  'scheduling.k8s.io/PriorityClass': ['value', ['preemptionPolicy', 'PreemptLowerPriority']],
  'storage.k8s.io/StorageClass': [
    'provisioner',
    'parameters',
    ['reclaimPolicy', 'Delete'],
    ['volumeBindingMode', 'Immediate'],
  ],
  'apiextensions.k8s.io/CustomResourceDefinition': ['spec.group', 'spec.names.plural', 'spec.scope'],
};

const FILES = new RegExp(
  `/(?:${Object.keys(IMMUTABLE)
    .map((id) => id.slice(id.indexOf('/') + 1).toLowerCase())
    .join('|')})\\.[^/]+$`,
);

/** Whether a file of a cluster's output has an object with immutable fields. */
export function isOfImmutable(path: string): boolean {
  return FILES.test(path);
}

/** Returns the changed immutable fields of an object. */
export function immutableChanges({
  before,
  after,
}: Readonly<Record<'before' | 'after', KubernetesObject>>): readonly string[] {
  const id = `${apiGroup(after.apiVersion)}/${after.kind}`;
  if (!Object.hasOwn(IMMUTABLE, id)) return [];
  const fixed = isSealed(before) ? ['data', 'binaryData', 'immutable'] : [];
  return [...(IMMUTABLE[id] ?? []), ...fixed].flatMap((field) => {
    const [path, otherwise] = typeof field === 'string' ? [field, undefined] : field;
    const [old, next] = [before, after].map((object) => at(object, path) ?? otherwise);
    return isSameValue(old, next) ? [] : [path];
  });
}

function isSealed({ apiVersion, kind, immutable }: KubernetesObject & { readonly immutable?: unknown }): boolean {
  return apiVersion === 'v1' && (kind === 'ConfigMap' || kind === 'Secret') && immutable === true;
}

const RECREATING: readonly (readonly [name: string, value: RegExp])[] = [
  ['helm.sh/hook', /./],
  ['argocd.argoproj.io/hook', /./],
  ['argocd.argoproj.io/sync-options', /\bForce=true\b/],
];

/** Whether Argo CD deletes and recreates an object. */
export function isRecreated({ metadata: { annotations = {} } }: KubernetesObject): boolean {
  return RECREATING.some(([name, value]) => value.test(annotations[name] ?? ''));
}

function at(object: KubernetesObject, path: string): Value | undefined {
  const value = valueAt(object as unknown as Values, path);
  return isMap(value) && Object.keys(value).length === 0 ? undefined : value;
}
