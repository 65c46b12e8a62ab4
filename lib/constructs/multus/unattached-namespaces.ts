import type { IConstruct } from 'constructs';
import { objectsAround } from '../../gitops/tree/api-objects';
import { INJECT, MULTUS } from '../../linkerd/annotations';

/** The names of meshed namespaces of the chart of `scope` whose pods Multus does not attach. */
export function unattachedNamespaces(scope: IConstruct): readonly string[] {
  return objectsAround(scope)
    .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace')
    .flatMap(({ json }) => json())
    .filter(({ metadata }) => isMeshed(metadata.annotations ?? {}))
    .map(({ metadata }) => metadata.name);
}

function isMeshed(annotations: Readonly<Record<string, string>>): boolean {
  return ['enabled', 'ingress'].includes(annotations[INJECT] ?? '') && annotations[MULTUS] !== 'enabled';
}
