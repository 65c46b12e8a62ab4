import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { checkLabelKey, checkLabelValue } from '#kubernetes/names';
import { refusedValue } from './findings';

/** Labels and annotations of all objects of Argo CD. */
export interface OwnMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Returns them without those that are not given. */
export function ownMetadata({ labels, annotations }: OwnMetadata): OwnMetadata {
  const given = Object.entries({ labels, annotations });
  return Object.fromEntries(given.filter(([, map]) => isObject(map) && Object.keys(map).length > 0));
}

/** Argo CD and the library set these themselves: an annotation may stop a sync, or delete what it deploys. */
const RESERVED = /^(?:cdk8s-linkerd\/|argocd\.argoproj\.io\/(?!refresh$)|kubectl\.kubernetes\.io\/)/;

/** Reports what Kubernetes refuses, what the library sets itself, and Go templates, which an ApplicationSet would run. */
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
  if (!isObject(map)) return [refusedValue(field, map, 'a map of texts')];
  return Object.entries(map).flatMap(([key, value]) => {
    const place = `${field}["${key}"]`;
    if (typeof value !== 'string') return [refusedValue(place, value, 'a text')];
    if (RESERVED.test(key)) return [refusedValue(place, value, 'another key: Argo CD or the library sets this one')];
    if (value.includes('{{'))
      return [refusedValue(place, value, 'a text without {{, which an ApplicationSet would run')];
    return [...checkLabelKey(place, key), ...checkValue(place, value)];
  });
}
