import type { IConstruct } from 'constructs';
import { INJECT } from '../../linkerd/annotations';
import { apiObjectsAround, jsonOf } from '../../platform/api-objects';
import type { Problem } from '../../validation/problem';
import { pointer, valueAt } from './json-pointer';
import { isNamespace } from './pod-places';

/** That a namespace which must not be meshed is meshed in the chart of `scope`; `what` says what is in it. */
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
