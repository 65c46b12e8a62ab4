import type { Problem } from '../../kubernetes/findings/problem';
import { valueAt } from '../../kubernetes/json-pointer';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { isNamespace, type PodPlace, podPlaces } from '../../kubernetes/pod-places';
import { INJECT } from '../../linkerd/annotations';
import { checkInjectedNamespace } from '../control-plane/unseen-namespaces';
import { MESHING_FINDINGS } from './findings';

/** Reports what keeps Linkerd from injecting an object's pods. The object is as it will be applied. */
export function checkInjectable(object: KubernetesObject): readonly Problem[] {
  const name = describeObject(object);
  const namespace = valueAt(object, isNamespace(object) ? '/metadata/name' : '/metadata/namespace');
  return [
    ...checkInjectedNamespace(name, typeof namespace === 'string' ? namespace : undefined),
    ...podPlaces(object).flatMap((place) => checkHostNetwork(name, object, place)),
  ];
}

function checkHostNetwork(name: string, object: KubernetesObject, { spec }: PodPlace): readonly Problem[] {
  if (spec === undefined || valueAt(object, `${spec}/hostNetwork`) !== true) return [];
  return [MESHING_FINDINGS.hostNetworkInMesh({ object: name, annotation: INJECT })];
}
