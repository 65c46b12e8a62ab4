import type { IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { pointer, valueAtPointer } from '#base/json-pointer';
import { isNamespace } from '#kubernetes/objects/pod-places';
import { INJECT } from '#linkerd/annotations';
import { requestsProxy } from '../../checks/policy/pod-sets';
import { objectsAround } from '../../gitops/tree/api-objects';

/** Reports a namespace that the chart of `scope` meshes, but that must not be part of the mesh. */
export function checkUnmeshedNamespace(
  scope: IConstruct,
  name: string,
  problemOf: (parameters: Record<'namespace' | 'annotation' | 'mode', string>) => Problem,
): readonly Problem[] {
  const mode = objectsAround(scope)
    .filter((object) => isNamespace(object) && object.name === name)
    .flatMap(({ json }) => json())
    .map((object) => valueAtPointer(object, pointer('/metadata/annotations', INJECT)))
    .find(requestsProxy);
  return mode === undefined ? [] : [problemOf({ namespace: name, annotation: INJECT, mode: `${mode}` })];
}
