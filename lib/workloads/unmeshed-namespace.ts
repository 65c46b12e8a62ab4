import type { IConstruct } from 'constructs';
import { INJECT } from '../kubernetes/annotations';
import { pointer, valueAt } from '../kubernetes/json-pointer';
import type { Problem } from '../problems/problem';
import { apiObjectsAround, jsonOf } from '../tree/api-objects';
import { isNamespace } from './pod-places';

/** Refuses that a namespace which must not be meshed is meshed in the chart of `scope`; `what` says what is in it. */
export function checkUnmeshedNamespace(
  scope: IConstruct,
  name: string,
  { what, why, fix }: Problem,
): readonly Problem[] {
  const mode = apiObjectsAround(scope)
    .filter((object) => isNamespace(object) && object.name === name)
    .flatMap(jsonOf)
    .map((object) => valueAt(object, pointer('/metadata/annotations', INJECT)))
    .find((value) => value === 'enabled' || value === 'ingress');
  return mode === undefined ? [] : [{ what: `Namespace ${name}, ${what}, has ${INJECT}: "${mode}"`, why, fix }];
}
