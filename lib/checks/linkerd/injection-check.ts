import type { Problem } from '#base/findings/problem';
import { pointer, valueAtPointer } from '#base/json-pointer';
import { describeObject, type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { isNamespace, type PodPlace, podPlaces } from '#kubernetes/objects/pod-places';
import { ADMISSION_WEBHOOKS, CONTROL_PLANE_COMPONENT, INJECT } from '#linkerd/annotations';
import { NEVER_INJECTED, requestsProxy } from '../policy/pod-sets';
import { MESHED_PODS_FINDINGS } from './findings';

/** Reports problems that keep Linkerd from injecting the pods in a namespace. */
export function checkInjectedNamespace(workload: string, namespace: string | undefined): readonly Problem[] {
  if (namespace === undefined || !NEVER_INJECTED.includes(namespace)) return [];
  const exempt = NEVER_INJECTED.join(' and ');
  return [MESHED_PODS_FINDINGS.namespaceNeverInjected({ workload, namespace, exempt })];
}

/** Reports problems that keep Linkerd from injecting pods that should be in the mesh. Expects the object as applied. */
function checkInjectable(object: KubernetesObject): readonly Problem[] {
  const name = describeObject(object);
  const namespace = valueAtPointer(object, isNamespace(object) ? '/metadata/name' : '/metadata/namespace');
  return [
    ...checkInjectedNamespace(name, typeof namespace === 'string' ? namespace : undefined),
    ...podPlaces(object).flatMap((place) => checkHostNetwork(name, object, place)),
  ];
}

function checkHostNetwork(name: string, object: KubernetesObject, { spec }: PodPlace): readonly Problem[] {
  if (spec === undefined || valueAtPointer(object, `${spec}/hostNetwork`) !== true) return [];
  return [MESHED_PODS_FINDINGS.hostNetworkInMesh({ object: name, annotation: INJECT })];
}

/** The namespaces in which the injector's webhook is called, as far as they are known. */
export interface InjectorReach {
  /** The labels of the known Namespaces, by name. */
  readonly labels: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Whether the webhook exempts `NEVER_INJECTED` by their names, as the webhook of the chart does. */
  readonly exemptsByName: boolean;
}

/** Reports an object whose annotation adds pods to the mesh that Linkerd never injects. */
export function checkInjectedObject(
  object: KubernetesObject,
  { labels, exemptsByName }: InjectorReach,
): readonly Problem[] {
  if (!asksForProxy(object)) return [];
  const problems = checkInjectable(object).filter(({ code }) => exemptsByName || code !== 'namespace-never-injected');
  const namespace = isNamespace(object) ? object.metadata.name : namespaceOf(object);
  if (problems.length > 0 || labels.get(namespace)?.[ADMISSION_WEBHOOKS] !== 'disabled') return problems;
  const found = { workload: describeObject(object), namespace, label: ADMISSION_WEBHOOKS, annotation: INJECT };
  return [MESHED_PODS_FINDINGS.namespaceNeverInjectedLabel(found)];
}

/**
 * Whether the webhook should inject pods of an object. It never selects those of the control plane, whose manifests
 * contain proxies.
 */
function asksForProxy(object: KubernetesObject): boolean {
  return podPlaces(object).some(({ metadata }) => {
    const mode = valueAtPointer(object, `${metadata}${pointer('/annotations', INJECT)}`);
    const component = valueAtPointer(object, `${metadata}${pointer('/labels', CONTROL_PLANE_COMPONENT)}`);
    return requestsProxy(mode) && component === undefined;
  });
}
