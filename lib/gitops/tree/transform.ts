import { describeException } from '#base/findings/exception';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { isObject } from '#base/is-object';
import { isSameValue } from '#base/same-value';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkPlain } from '#kubernetes/objects/plain-data';
import { TREE_FINDINGS } from './findings';

/** Where an object is written. */
export interface TransformPlace {
  /** Name of the cluster; absent for the objects of Argo CD itself. */
  readonly cluster?: string;
  /** The folder within that of the cluster: a namespace; `argocd` for the objects of Argo CD. */
  readonly folder: string;
}

/** A copy of an object, which may be changed in place. */
export interface TransformedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  [field: string]: unknown;
}

/**
 * Changes an object before it is checked and written. It returns the object, or changes its argument, which is a copy.
 * It must depend only on its arguments, so that each run gives the same output.
 *
 * @example
 * const withTeam: Transform = (object, { cluster }) => {
 *   object.metadata.labels = { ...object.metadata.labels, 'example.com/cluster': cluster ?? 'hub' };
 * };
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that changes its copy returns nothing
export type Transform = (object: TransformedObject, place: TransformPlace) => TransformedObject | void;

/** An object after transforms; the object itself if they change nothing, or if there are problems. */
export interface Transformation<T> {
  readonly object: T;
  readonly problems: readonly Problem[];
}

/** Applies transforms to an object, in order. They must not change its identity. */
export function transformed<T extends KubernetesObject>(
  object: T,
  place: TransformPlace,
  transforms: readonly Transform[],
): Transformation<T> {
  let copy = structuredClone(object) as unknown as TransformedObject;
  const name = describeObject(object);
  for (const transform of transforms) {
    try {
      const returned: unknown = transform(copy, place);
      const result = returned === undefined ? copy : returned;
      const problems = checkResult(name, object, result);
      if (problems.length > 0) return { object, problems };
      copy = result as TransformedObject;
    } catch (error) {
      return {
        object,
        problems: [TREE_FINDINGS.transformRefusedThrows({ object: name, error: describeException(error) })],
      };
    }
  }
  return isSameValue(copy, object) ? { object, problems: [] } : { object: copy as unknown as T, problems: [] };
}

const IDENTITY: readonly (readonly [field: string, read: (object: KubernetesObject) => unknown])[] = [
  ['apiVersion', ({ apiVersion }) => apiVersion],
  ['kind', ({ kind }) => kind],
  ['metadata.namespace', ({ metadata }) => metadata.namespace],
  ['metadata.name', ({ metadata }) => metadata.name],
];

function checkResult(name: string, before: KubernetesObject, result: unknown): readonly Problem[] {
  if (!isObject(result) || !isObject(result.metadata)) {
    return [TREE_FINDINGS.transformRefusedResult({ object: name, value: shownValue(result) })];
  }
  const after = result as unknown as KubernetesObject;
  return [
    ...IDENTITY.flatMap(([field, read]) =>
      read(after) === read(before)
        ? []
        : [TREE_FINDINGS.transformRefusedIdentity({ object: name, field, value: shownValue(read(after)) })],
    ),
    ...checkPlain(result, `${name}, transformed:`),
  ];
}

/** Reports transforms that are not functions: untyped code may pass any value. */
export function checkTransforms(field: string, transforms: readonly unknown[]): readonly Problem[] {
  return transforms.flatMap((one) =>
    typeof one === 'function'
      ? []
      : [KUBERNETES_FINDINGS.wrongTypeValue({ path: field, value: shownValue(one), expected: 'a function' })],
  );
}
