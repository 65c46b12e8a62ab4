import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { checkLabelKey, checkLabelValue } from '#kubernetes/names';
import { refusedValue } from './findings';

/** Labels and annotations of all objects of Argo CD. */
export interface OwnMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Returns labels and annotations; without the empty ones. */
export function ownMetadata({ labels, annotations }: OwnMetadata): OwnMetadata {
  const given = Object.entries({ labels, annotations });
  return Object.fromEntries(given.filter(([, map]) => isObject(map) && Object.keys(map).length > 0));
}

/** Keys that Argo CD or the library sets. An annotation may stop a sync, or delete deployed objects. */
const RESERVED = /^(?:cdk8s-linkerd\/|argocd\.argoproj\.io\/(?!refresh$)|kubectl\.kubernetes\.io\/)/;

/**
 * Reports keys that the library sets, values that Kubernetes refuses, and Go templates, which Argo CD would execute.
 */
export function checkOwnMetadata({ labels, annotations }: OwnMetadata): readonly Problem[] {
  return [
    ...checkMap('argocd.labels', labels, checkLabelValue),
    ...checkMap('argocd.annotations', annotations, () => []),
  ];
}

function checkMap(
  field: string,
  map: unknown,
  checkValue: (field: string, value: string) => readonly Problem[],
): readonly Problem[] {
  if (map === undefined || map === null) return [];
  if (!isObject(map)) return [refusedValue(field, map, 'a map of strings')];
  return Object.entries(map).flatMap(([key, value]) => {
    const place = `${field}["${key}"]`;
    if (typeof value !== 'string') return [refusedValue(place, value, 'a text')];
    if (RESERVED.test(key)) return [refusedValue(place, value, 'another key: Argo CD or the library sets this one')];
    if (value.includes('{{'))
      return [refusedValue(place, value, 'a string without {{, which an ApplicationSet executes as a Go template')];
    return [...checkLabelKey(place, key), ...checkValue(place, value)];
  });
}
