import { isObject } from '#base/is-object';
import { valueAtPointer } from '#base/json-pointer';
import { remembered } from '#base/remembered';
import { itemsOf, textIn } from '#base/select-fields';
import { type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { isNamespace, podPlaces } from '#kubernetes/objects/pod-places';
import {
  ADMISSION_WEBHOOKS,
  DEFAULT_INBOUND_POLICY,
  INJECT,
  OPAQUE_PORTS,
  REQUIRE_IDENTITY_INBOUND_PORTS,
  SKIP_INBOUND_PORTS,
} from '#linkerd/annotations';
import type { ProxySettings } from './proxy-settings';

/** A TCP port that a container declares. */
export interface PodPort {
  readonly name: string | undefined;
  readonly number: number;
}

/**
 * A probe that kubelets send over the network. TCP probes succeed under any policy, because the proxy accepts the
 * connection.
 */
export interface PodProbe {
  /** Place in the container: `livenessProbe of container api`. */
  readonly field: string;
  readonly kind: 'HTTP' | 'HTTPS' | 'gRPC';
  /** Number of the port; undefined if no port of the container has its name. */
  readonly port: number | undefined;
  /** The path of the request, without its query. */
  readonly path: string;
  /** It is a lifecycle hook, which kubelets also send, but which Linkerd does not authorize by default. */
  readonly isHook?: boolean;
  /** Its path has no leading slash: kubelets add one, but Linkerd does not. */
  readonly isRelative?: boolean;
}

/** The facts about the pods of one object for checks of policies. */
export interface PodSet {
  readonly object: KubernetesObject;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Name of the service account, from which the mesh identity is derived. */
  readonly account: string;
  readonly ports: readonly PodPort[];
  readonly probes: readonly PodProbe[];
  readonly hostNetwork: boolean;
  /** The object itself contains the proxy, as after `linkerd inject`. */
  readonly hasProxy: boolean;
}

type Placed = Pick<PodSet, 'annotations' | 'namespace'>;

interface NamespaceFacts {
  readonly annotations: Readonly<Record<string, string>>;
  /** The API server calls the proxy injector for its pods. */
  readonly isSeen: boolean;
}

/** The facts that determine the settings of pods, apart from the pods. */
export interface Surroundings {
  /** The known namespaces, by name. */
  readonly namespaces: ReadonlyMap<string, NamespaceFacts>;
  /** The settings of the mesh. */
  readonly settings: ProxySettings;
}

/** Returns the sets of pods of an object: usually one, none for most kinds. */
export const podSetsOf: (object: KubernetesObject) => readonly PodSet[] = remembered((object) =>
  isNamespace(object) ? [] : podPlaces(object).flatMap((place) => podSetAt(object, place.metadata, place.spec)),
);

function podSetAt(object: KubernetesObject, metadataAt: string, specAt = ''): readonly PodSet[] {
  const spec = valueAtPointer(object, specAt);
  if (!isObject(spec)) return [];
  const metadata = valueAtPointer(object, metadataAt);
  const containers = [...itemsOf(spec.containers), ...itemsOf(spec.initContainers)];
  return [
    {
      object,
      namespace: namespaceOf(object),
      labels: textsOf(metadata, 'labels'),
      annotations: textsOf(metadata, 'annotations'),
      account: textIn(spec, 'serviceAccountName') ?? textIn(spec, 'serviceAccount') ?? 'default',
      ports: containers.flatMap(portsOf),
      probes: containers.flatMap(probesOf),
      hostNetwork: spec.hostNetwork === true,
      hasProxy: containers.some((container) => textIn(container, 'name') === PROXY_CONTAINER),
    },
  ];
}

/**
 * Namespaces outside the proxy injector's webhook: proxyInjector.namespaceSelector in the control plane charts of all
 * releases.
 */
export const NEVER_INJECTED: readonly string[] = ['kube-system', 'cert-manager'];

/** The container of the proxy in pods. */
export const PROXY_CONTAINER = 'linkerd-proxy';

/** Returns the facts about a namespace. */
export function namespaceFacts({ metadata }: KubernetesObject): NamespaceFacts {
  const { name, labels } = metadata;
  const annotations = textsOf(metadata, 'annotations');
  return { annotations, isSeen: labels?.[ADMISSION_WEBHOOKS] !== 'disabled' && !NEVER_INJECTED.includes(name) };
}

/**
 * Whether the pods have a proxy; undefined if unknown, because their namespace is created elsewhere. Follows the rules
 * of the injector (linkerd2, pkg/inject/report.go).
 */
export function isMeshed(
  { annotations, namespace, hostNetwork, hasProxy }: PodSet,
  { namespaces }: Pick<Surroundings, 'namespaces'>,
): boolean | undefined {
  if (hasProxy) return true;
  if (hostNetwork || NEVER_INJECTED.includes(namespace)) return false;
  const known = namespaces.get(namespace);
  const [own = '', inherited = ''] = [annotations[INJECT], known?.annotations[INJECT]];
  if (known?.isSeen === false || !MODES.includes(own) || !MODES.includes(inherited) || own === 'disabled') return false;
  if (own !== '' || requestsProxy(inherited)) return true;
  return known === undefined ? undefined : false;
}

/** Valid values of the injection annotation: with any other value on pods or their namespace, no proxy is injected. */
const MODES: readonly string[] = ['', 'enabled', 'ingress', 'disabled'];

/** Whether a value of `linkerd.io/inject` requests a proxy. */
export function requestsProxy(mode: unknown): boolean {
  return mode === 'enabled' || mode === 'ingress';
}

/** Returns the effective annotation of pods: their own, or that of their namespace, which the injector copies. */
export function settingOf(
  { annotations, namespace }: Placed,
  key: string,
  { namespaces }: Pick<Surroundings, 'namespaces'>,
): string | undefined {
  return annotations[key] ?? namespaces.get(namespace)?.annotations[key];
}

/**
 * Returns the policy for a port of the pods that no Server selects; undefined if the default of the mesh is unknown.
 * The policy controller tightens it if the pods require an identity (linkerd2,
 * policy-controller/k8s/index/src/inbound/index.rs).
 */
export function defaultPolicyAt(
  pods: Placed,
  port: number,
  around: Pick<Surroundings, 'namespaces'>,
  ofMesh: string | undefined,
): string | undefined {
  const policy = settingOf(pods, DEFAULT_INBOUND_POLICY, around) ?? ofMesh;
  const isTightened = policy !== undefined && requiresIdentity(pods, port, around);
  return isTightened ? (TIGHTENED[policy] ?? policy) : policy;
}

/** The policies that default policies become on a port that requires an identity. `audit` does not change. */
const TIGHTENED: Readonly<Record<string, string>> = {
  'all-unauthenticated': 'all-authenticated',
  'cluster-unauthenticated': 'cluster-authenticated',
};

/** Whether the pods require clients with an identity at a port. */
export function requiresIdentity(pods: Placed, port: number, around: Pick<Surroundings, 'namespaces'>): boolean {
  return isAmong(settingOf(pods, REQUIRE_IDENTITY_INBOUND_PORTS, around) ?? '', port);
}

/** Whether connections to a port bypass the proxy, so no policy applies. */
export function isSkipped(pods: PodSet, port: number, around: Surroundings): boolean {
  return isAmong(settingOf(pods, SKIP_INBOUND_PORTS, around) ?? around.settings.skippedInbound, port);
}

/**
 * Whether connections to a port are proxied without protocol detection. The injector annotates pods with those of the
 * mesh's opaque ports that their containers declare.
 */
export function isOpaque(pods: Placed & Partial<PodSet>, port: number, around: Surroundings): boolean {
  const said = settingOf(pods, OPAQUE_PORTS, around);
  const ports = pods.ports ?? [{ number: port, name: undefined }];
  const declared = ports.filter(({ number }) => number === port);
  if (said === undefined) return declared.length > 0 && isAmong(around.settings.opaquePorts, port);
  const names = said.split(',').map((entry) => entry.trim());
  return isAmong(said, port) || declared.some(({ name }) => name !== undefined && names.includes(name));
}

/** Returns the numbers of a port in pods: several containers may declare a port of the same name. */
export function numbersOf(port: unknown, { ports }: Pick<PodSet, 'ports'>): readonly number[] {
  if (typeof port === 'number') return [port];
  return [...new Set(ports.filter(({ name }) => name !== undefined && name === port).map(({ number }) => number))];
}

/** Whether a port is in a list of numbers and ranges. Names of ports in the list are ignored. */
export function isAmong(list: string, port: number): boolean {
  return list.split(',').some((entry) => {
    const [from = Number.NaN, to = from] = entry.trim().split('-').map(Number);
    return entry.trim() !== '' && from <= port && port <= to;
  });
}

function portsOf(container: unknown): readonly PodPort[] {
  if (!isObject(container)) return [];
  return itemsOf(container.ports).flatMap((port) => {
    if (!isObject(port) || typeof port.containerPort !== 'number') return [];
    const protocol = textIn(port, 'protocol') ?? 'TCP';
    return protocol.toUpperCase() === 'TCP' ? [{ name: textIn(port, 'name'), number: port.containerPort }] : [];
  });
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

const HOOKS = ['postStart', 'preStop'] as const;

function probesOf(container: unknown): readonly PodProbe[] {
  if (!isObject(container)) return [];
  const ports = portsOf(container);
  const place = `of container ${textIn(container, 'name') ?? ''}`;
  const lifecycle = isObject(container.lifecycle) ? container.lifecycle : {};
  return [
    ...PROBES.flatMap((name) => probeOf(`${name} ${place}`, container[name], ports)),
    ...HOOKS.flatMap((name) => probeOf(`lifecycle.${name} ${place}`, lifecycle[name], ports)).map((hook) => ({
      ...hook,
      isHook: true,
    })),
  ];
}

function probeOf(field: string, probe: unknown, ports: readonly PodPort[]): readonly PodProbe[] {
  if (!isObject(probe)) return [];
  const { httpGet, grpc } = probe;
  if (isObject(grpc)) return [{ field, kind: 'gRPC', port: portNumber(grpc.port, ports), path: GRPC_HEALTH }];
  if (!isObject(httpGet)) return [];
  const kind = textIn(httpGet, 'scheme') === 'HTTPS' ? 'HTTPS' : 'HTTP';
  const path = textIn(httpGet, 'path') || '/';
  const isRelative = !path.startsWith('/');
  return [{ field, kind, port: portNumber(httpGet.port, ports), path: pathOnly(path), isRelative }];
}

/** The path of the one request that kubelets send to gRPC servers (k8s.io/kubernetes, pkg/probe/grpc). */
const GRPC_HEALTH = '/grpc.health.v1.Health/Check';

/**
 * Returns the path without the query, which kubelets send but routes ignore, and with the leading slash that kubelets
 * add.
 */
function pathOnly(path: string): string {
  const [before = ''] = path.split(/[?#]/);
  return before.startsWith('/') ? before : `/${before}`;
}

function portNumber(port: unknown, ports: readonly PodPort[]): number | undefined {
  return typeof port === 'number' ? port : ports.find(({ name }) => name !== undefined && name === port)?.number;
}

function textsOf(metadata: unknown, field: 'labels' | 'annotations'): Readonly<Record<string, string>> {
  const map = isObject(metadata) ? metadata[field] : undefined;
  if (!isObject(map)) return {};
  const entries = Object.entries(map);
  // Values of other types, which the API server refuses, are reported by another rule.
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return texts.length === entries.length ? (map as Readonly<Record<string, string>>) : Object.fromEntries(texts);
}
