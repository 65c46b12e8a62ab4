import type { JsonPatchOperation } from '../../../packages/controller-runtime/client/kube-client';
import {
  CONTROL_PLANE_COMPONENT,
  INJECT,
  INJECTED,
  MULTUS,
  MULTUS_ENABLED,
  MULTUS_NETWORKS,
  PROXY_UID,
} from '../../api/multus/annotations';
import { LINKERD_NETWORK } from '../../api/multus/network-attachment';
import { type MeshNamespaces, unattachedNamespaces } from '../../api/multus/unattached-namespaces';
import { type Annotations, annotationPatch } from './annotation-patch';
import { withLinkerdNetwork } from './networks-annotation';
import { proxyUid } from './proxy-uid';

/** A pod that is about to be created. */
export interface NewPod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Absent if it has no map of annotations. */
  readonly annotations?: Annotations;
  readonly isOnHostNetwork: boolean;
}

/** Settings of {@link mutatePod}. */
export interface PodSettings extends MeshNamespaces {
  /** The offset of the proxy's user in a namespace's range of users. */
  readonly linkerdProxyUidOffset: number;
  /** Annotation of namespaces with the range. */
  readonly namespaceUidRangeAnnotation: string;
}

/** The changes of a pod. */
export interface PodMutation {
  readonly patch: readonly JsonPatchOperation[];
  /** Warnings about what was not done, for the client that creates the pod. */
  readonly warnings: readonly string[];
}

const UNCHANGED: PodMutation = { patch: [], warnings: [] };

const INHERITED = [MULTUS, INJECT] as const;

/**
 * Returns the changes that attach a pod to linkerd-cni: if it is meshed and Multus is enabled, each by its own
 * annotation or its namespace's; or if it belongs to the control plane. Other pods stay unchanged.
 */
export function mutatePod(pod: NewPod, namespaceAnnotations: Annotations, settings: PodSettings): PodMutation {
  const inherited = inheritedAnnotations(pod, namespaceAnnotations);
  const annotations = { ...pod.annotations, ...inherited };
  const isMeshed = INJECTED.some((mode) => mode === annotations[INJECT]);
  const isAsked = isMeshed && annotations[MULTUS] === MULTUS_ENABLED;
  if (!(isAsked || isControlPlane(pod, settings)) || cannotAttach(pod, settings)) return UNCHANGED;

  const attached = withLinkerdNetwork(annotations[MULTUS_NETWORKS], pod.namespace);
  if ('problem' in attached) {
    return { patch: [], warnings: [`not attached to linkerd-cni: annotation ${MULTUS_NETWORKS} ${attached.problem}`] };
  }
  const user = isMeshed ? proxyUser(annotations, namespaceAnnotations, settings) : NO_USER;
  return {
    patch: annotationPatch(pod.annotations, {
      ...inherited,
      [MULTUS_NETWORKS]: attached.networks,
      ...user.annotations,
    }),
    warnings: [...networkWarnings(pod, namespaceAnnotations, settings), ...user.warnings],
  };
}

/**
 * Warns about a missing network: it exists only if the namespace is annotated, or is the control plane's, whatever pods
 * say.
 */
function networkWarnings(
  { namespace }: NewPod,
  namespaceAnnotations: Annotations,
  { linkerdNamespace }: MeshNamespaces,
): readonly string[] {
  if (namespace === linkerdNamespace || namespaceAnnotations[MULTUS] === MULTUS_ENABLED) return [];
  const missing = `namespace ${namespace} is not annotated ${MULTUS}: ${MULTUS_ENABLED}`;
  return [
    `${missing}, so nothing creates its network ${LINKERD_NETWORK}: unless the network exists, the pod will not start`,
  ];
}

/** An empty annotation counts as absent, on both sides. */
function inheritedAnnotations(pod: NewPod, namespaceAnnotations: Annotations): Annotations {
  const inherited: Record<string, string> = {};
  for (const key of INHERITED) {
    const value = namespaceAnnotations[key];
    if (!pod.annotations?.[key] && value) inherited[key] = value;
  }
  return inherited;
}

function isControlPlane({ namespace, labels }: NewPod, { linkerdNamespace }: MeshNamespaces): boolean {
  return namespace === linkerdNamespace && Boolean(labels[CONTROL_PLANE_COMPONENT]);
}

/** Kubernetes runs no plugins for pods on the host's network. */
function cannotAttach({ namespace, isOnHostNetwork }: NewPod, settings: PodSettings): boolean {
  return isOnHostNetwork || unattachedNamespaces(settings).includes(namespace);
}

interface ProxyUser {
  readonly annotations: Annotations;
  readonly warnings: readonly string[];
}

const NO_USER: ProxyUser = { annotations: {}, warnings: [] };

function proxyUser(annotations: Annotations, namespaceAnnotations: Annotations, settings: PodSettings): ProxyUser {
  const { namespaceUidRangeAnnotation: key, linkerdProxyUidOffset } = settings;
  const range = namespaceAnnotations[key];
  // The injector inherits the namespace's own by itself.
  if (!range || annotations[PROXY_UID] || namespaceAnnotations[PROXY_UID]) return NO_USER;
  const user = proxyUid(range, linkerdProxyUidOffset);
  return 'problem' in user
    ? { annotations: {}, warnings: [`no ${PROXY_UID} set: the namespace's annotation ${key} ${user.problem}`] }
    : { annotations: { [PROXY_UID]: `${user.uid}` }, warnings: [] };
}
