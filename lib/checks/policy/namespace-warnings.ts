import { suggest } from '#base/suggest';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { isNamespace } from '#kubernetes/objects/pod-places';
import { apiGroup } from '#kubernetes/objects/scope';
import { DEFAULT_INBOUND_POLICY, INJECT } from '#linkerd/annotations';
import type { Warning } from '../warnings';
import { LINKERD_POLICY_FINDINGS } from './findings';
import { podSetsOf } from './pod-sets';

/** Returns the namespaces of a cluster that have pods, or are meshed. */
export function livedIn(objects: readonly KubernetesObject[]): ReadonlySet<string> {
  return new Set(
    objects.flatMap((object) => {
      const { name, annotations } = object.metadata;
      if (isNamespace(object)) return annotations?.[INJECT] === undefined ? [] : [name];
      return podSetsOf(object).map(({ namespace }) => namespace);
    }),
  );
}

/** Warns about a policy for a whole namespace that is otherwise unknown: its name may be misspelled. */
export function namespaceWarnings(object: KubernetesObject, lived: ReadonlySet<string>): readonly Warning[] {
  const namespace = guardedNamespace(object);
  if (namespace === undefined || lived.has(namespace)) return [];
  const [similar] = suggest(namespace, lived);
  return [
    LINKERD_POLICY_FINDINGS.policyWithoutPodsNamespace({
      namespace,
      setting: object.kind === 'Namespace' ? DEFAULT_INBOUND_POLICY : `EgressNetwork ${object.metadata.name}`,
      similar,
    }),
  ];
}

/** Namespace whose EgressNetworks apply to all namespaces (default of `egress.globalEgressNetworkNamespace`). */
export const GLOBAL_EGRESS_NAMESPACE = 'linkerd-egress';

/** Returns the namespace for which an object is a policy; undefined if it is no policy, or one for single pods. */
function guardedNamespace(object: KubernetesObject): string | undefined {
  const { name, namespace, annotations } = object.metadata;
  if (isNamespace(object)) return annotations?.[DEFAULT_INBOUND_POLICY] === undefined ? undefined : name;
  const isEgress = object.kind === 'EgressNetwork' && apiGroup(object.apiVersion) === 'policy.linkerd.io';
  return isEgress && namespace !== GLOBAL_EGRESS_NAMESPACE ? namespace : undefined;
}
