import { valueAtPointer } from '#base/json-pointer';
import { isSameValue } from '#base/same-value';
import type { ApplicationSet, AppProject } from '#imports/crds/argoproj.io';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { TREE_FINDINGS } from '../tree/findings';
import { type Transform, type Transformation, transformed } from '../tree/transform';

/** The fields that set what Argo CD may deploy, from which sources and to which destinations. */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  AppProject: [
    'sourceRepos',
    'sourceNamespaces',
    'destinations',
    'destinationServiceAccounts',
    'clusterResourceWhitelist',
    'clusterResourceBlacklist',
    'namespaceResourceWhitelist',
    'namespaceResourceBlacklist',
    'permitOnlyProjectScopedClusters',
    'signatureKeys',
  ],
  ApplicationSet: [
    'generators',
    'goTemplate',
    'templatePatch',
    'template/metadata/name',
    'template/metadata/namespace',
    'template/spec/project',
    'template/spec/source',
    'template/spec/sources',
    'template/spec/destination',
  ],
};

/** Applies transforms to an object of Argo CD itself, and reports changes of its permissions. */
export function transformArgoCd<T extends AppProject | ApplicationSet>(
  made: T,
  transforms: readonly Transform[],
): Transformation<T> {
  if (transforms.length === 0) return { object: made, problems: [] };
  const before = made as unknown as KubernetesObject;
  const { object, problems } = transformed(before, { folder: 'argocd' }, transforms);
  const changed = (PERMISSIONS[before.kind] ?? []).filter(
    (field) => !isSameValue(valueAtPointer(object.spec, `/${field}`), valueAtPointer(before.spec, `/${field}`)),
  );
  const widened = changed.map((field) =>
    TREE_FINDINGS.transformRefusedPermission({
      object: describeObject(before),
      field: `spec.${field.replaceAll('/', '.')}`,
    }),
  );
  const found = [...problems, ...widened];
  return { object: found.length > 0 ? made : (object as unknown as T), problems: found };
}
