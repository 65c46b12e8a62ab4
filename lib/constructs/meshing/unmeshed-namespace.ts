import type { IConstruct } from 'constructs';
import { objectsAround } from '../../gitops/tree/api-objects';
import type { Problem } from '../../kubernetes/findings/problem';
import { pointer, valueAt } from '../../kubernetes/json-pointer';
import { isNamespace } from '../../kubernetes/pod-places';
import { INJECT } from '../../linkerd/annotations';

/** The reason why a namespace must not be part of the mesh. */
interface UnmeshedReason extends Pick<Problem, 'code' | 'why' | 'fix'> {
  /** The pods in it, as a relative clause: "where … run". */
  readonly holds: string;
}

/** Checks that the chart of `scope` does not mesh a namespace which must not be part of the mesh. */
export function checkUnmeshedNamespace(
  scope: IConstruct,
  name: string,
  { code, holds, why, fix }: UnmeshedReason,
): readonly Problem[] {
  const mode = objectsAround(scope)
    .filter((object) => isNamespace(object) && object.name === name)
    .flatMap(({ json }) => json())
    .map((object) => valueAt(object, pointer('/metadata/annotations', INJECT)))
    .find((value) => value === 'enabled' || value === 'ingress');
  return mode === undefined ? [] : [{ code, what: `Namespace ${name}, ${holds}, has ${INJECT}: "${mode}"`, why, fix }];
}
