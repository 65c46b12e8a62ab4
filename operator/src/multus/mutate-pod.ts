import { isObject } from '#base/is-object';
import type { JsonPatchOperation } from '#controller-runtime/client/kube-client';
import { INJECTED, MULTUS_ENABLED } from '#linkerd/annotation-values';
import { CONTROL_PLANE_COMPONENT, INJECT, MULTUS, MULTUS_NETWORKS, PROXY_UID } from '#linkerd/annotations';
import { LINKERD_NETWORK } from '../../api/multus/network-attachment';
import { type MeshNamespaces, unattachedNamespaces } from '../../api/multus/unattached-namespaces';
import { type Annotations, annotationPatch } from './annotation-patch';

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
  /** Warnings about omitted changes, for the client that creates the pod. */
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
 * Warns about a missing network. The operator creates it in the control plane's namespace and in namespaces with the
 * annotation. A pod's annotation does not create it.
 */
function networkWarnings(
  { namespace }: NewPod,
  namespaceAnnotations: Annotations,
  { linkerdNamespace }: MeshNamespaces,
): readonly string[] {
  if (namespace === linkerdNamespace || namespaceAnnotations[MULTUS] === MULTUS_ENABLED) return [];
  const missing = `namespace ${namespace} is not annotated ${MULTUS}: ${MULTUS_ENABLED}`;
  return [`${missing}, so nothing creates its network ${LINKERD_NETWORK}: the pod starts only if that network exists`];
}

/** An empty annotation counts as absent, in pods and in namespaces. */
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

/** Kubernetes runs no CNI plugins for pods on the host's network. */
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
  // The injector itself inherits the namespace's annotation.
  if (!range || annotations[PROXY_UID] || namespaceAnnotations[PROXY_UID]) return NO_USER;
  const user = proxyUid(range, linkerdProxyUidOffset);
  return 'problem' in user
    ? { annotations: {}, warnings: [`no ${PROXY_UID} set: the namespace's annotation ${key} ${user.problem}`] }
    : { annotations: { [PROXY_UID]: `${user.uid}` }, warnings: [] };
}

/** The user for the proxies of a namespace, or why there is none. */
type ProxyUid = { readonly uid: number } | { readonly problem: string };

/** The largest `runAsUser` in Kubernetes. */
const LARGEST_UID = 2 ** 31 - 1;

/**
 * Returns the user for the proxies of a namespace whose pods may only run as users of a range: the one `offset` after
 * the first, or the last in a smaller range.
 *
 * @param range `<first>/<number>`, as OpenShift writes it, or `<first>-<last>`, which it also accepts
 */
export function proxyUid(range: string, offset: number): ProxyUid {
  const users = parseRange(range);
  if (users === undefined) return { problem: 'is not <first user>/<number of users>' };
  // OpenShift runs pods as the first user by default, and traffic of the proxy's user is not redirected.
  if (users.last === users.first) return { problem: 'leaves no UID for the proxy next to that of the application' };
  return { uid: Math.min(users.first + offset, users.last) };
}

function parseRange(text: string): Readonly<Record<'first' | 'last', number>> | undefined {
  const [, from, separator, to] = /^(\d{1,10})([/-])(\d{1,10})$/.exec(text.trim()) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const first = Number(from);
  const last = separator === '/' ? first + Number(to) - 1 : Number(to);
  return last >= first && last <= LARGEST_UID ? { first, last } : undefined;
}

/** An annotation with linkerd-cni, or why it cannot be added. */
type AttachedNetworks = { readonly networks: string } | { readonly problem: string };

/**
 * Adds linkerd-cni to a pod's networks, unless it is one of them. Multus accepts comma-separated
 * `[namespace/]name[@interface]`, or a JSON list of objects with these keys, and distinguishes the two by the
 * characters `[`, `{` and `"`.
 *
 * @param networks value of `k8s.v1.cni.cncf.io/networks`
 * @param namespace of the pod: the default for networks
 */
export function withLinkerdNetwork(networks: string | undefined, namespace: string): AttachedNetworks {
  if (networks === undefined || networks.trim() === '') return { networks: LINKERD_NETWORK };
  return /[[{"]/.test(networks) ? inJson(networks, namespace) : inText(networks, namespace);
}

function inText(text: string, namespace: string): AttachedNetworks {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const isThere = items.some((item) => {
    const [network] = item.split('@');
    return network === LINKERD_NETWORK || network === `${namespace}/${LINKERD_NETWORK}`;
  });
  return { networks: isThere ? text : [...items, LINKERD_NETWORK].join(',') };
}

interface NetworkSelection {
  readonly name?: unknown;
  readonly namespace?: unknown;
}

function inJson(text: string, namespace: string): AttachedNetworks {
  const list = parseList(text);
  if (list === undefined)
    return { problem: 'is neither a comma-separated list of networks nor a JSON list of objects' };
  const isThere = list.some(
    (network) => network.name === LINKERD_NETWORK && (network.namespace || namespace) === namespace,
  );
  return { networks: isThere ? text : JSON.stringify([...list, { name: LINKERD_NETWORK }]) };
}

function parseList(text: string): readonly NetworkSelection[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every(isObject) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
