import { valueAt } from '../../kubernetes/json-pointer';
import { type KubernetesObject, namespaceOf } from '../../kubernetes/kubernetes-object';
import { isNamespace, podPlaces } from '../../kubernetes/pod-places';
import { remembered } from '../../kubernetes/remembered';
import { isObject, itemsOf, textIn } from '../../kubernetes/select-fields';
import {
  ADMISSION_WEBHOOKS,
  DEFAULT_INBOUND_POLICY,
  INJECT,
  OPAQUE_PORTS,
  REQUIRE_IDENTITY_INBOUND_PORTS,
  SKIP_INBOUND_PORTS,
} from '../annotations';
import type { ProxySettings } from './proxy-settings';

/** A TCP port that a container declares. */
export interface PodPort {
  readonly name: string | undefined;
  readonly number: number;
}

/** A probe that kubelets send over the network. Those of plain TCP succeed whatever the policy is: the proxy accepts. */
export interface PodProbe {
  /** Place in the container: `livenessProbe of container api`. */
  readonly field: string;
  readonly kind: 'HTTP' | 'HTTPS' | 'gRPC';
  /** Number of the port; undefined where its name is none of the container's. */
  readonly port: number | undefined;
  /** The path of the request, without its query. */
  readonly path: string;
  /** Tells whether it is a hook of the container's lifecycle: kubelets send it as well, and Linkerd knows nothing of it. */
  readonly isHook?: boolean;
  /** Tells whether its path has no slash before it: kubelets add one, and Linkerd knows nothing of it. */
  readonly isRelative?: boolean;
}

/** The pods that one object makes, as far as policies are concerned. */
export interface PodSet {
  readonly object: KubernetesObject;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Name of the service account: what the mesh identity is made of. */
  readonly account: string;
  readonly ports: readonly PodPort[];
  readonly probes: readonly PodProbe[];
  readonly hostNetwork: boolean;
  /** Tells whether the object itself has the proxy, as after `linkerd inject`. */
  readonly hasProxy: boolean;
}

/** All of pods that decides their settings. */
type Placed = Pick<PodSet, 'annotations' | 'namespace'>;

/** A namespace, as far as it decides the settings of its pods. */
interface NamespaceFacts {
  readonly annotations: Readonly<Record<string, string>>;
  /** Tells whether the proxy injector is asked about pods in it. */
  readonly isSeen: boolean;
}

/** All that decides the settings of pods beside themselves. */
export interface Surroundings {
  /** The namespaces that are known, by their names. */
  readonly namespaces: ReadonlyMap<string, NamespaceFacts>;
  /** The settings of the mesh. */
  readonly settings: ProxySettings;
}

/** The sets of pods that an object makes: one as a rule, none of most kinds. */
export const podSetsOf: (object: KubernetesObject) => readonly PodSet[] = remembered((object) =>
  isNamespace(object) ? [] : podPlaces(object).flatMap((place) => podSetAt(object, place.metadata, place.spec)),
);

function podSetAt(object: KubernetesObject, metadataAt: string, specAt = ''): readonly PodSet[] {
  const spec = valueAt(object, specAt);
  if (!isObject(spec)) return [];
  const metadata = valueAt(object, metadataAt);
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
 * Namespaces that the proxy injector's webhook does not see: proxyInjector.namespaceSelector in the control plane
 * charts of all releases.
 */
export const NEVER_INJECTED: readonly string[] = ['kube-system', 'cert-manager'];

/** Name of the container that the injector adds. */
const PROXY_CONTAINER = 'linkerd-proxy';

/** The facts about a namespace. */
export function namespaceFacts({ metadata: { name, annotations = {}, labels } }: KubernetesObject): NamespaceFacts {
  return { annotations, isSeen: labels?.[ADMISSION_WEBHOOKS] !== 'disabled' && !NEVER_INJECTED.includes(name) };
}

/**
 * Tells whether the pods have a proxy; undefined where that is not known, as their namespace is somebody else's. By the
 * rules of the injector (linkerd2, pkg/inject/report.go).
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
  if (own !== '' || isInjecting(inherited)) return true;
  return known === undefined ? undefined : false;
}

/** Values of the annotation by which pods are injected: none are, where one of their own or their namespace's is another. */
const MODES: readonly string[] = ['', 'enabled', 'ingress', 'disabled'];

function isInjecting(mode: string): boolean {
  return mode === 'enabled' || mode === 'ingress';
}

/** The annotation that counts for pods: their own, or that of their namespace, which the injector copies. */
export function settingOf(
  { annotations, namespace }: Placed,
  key: string,
  { namespaces }: Pick<Surroundings, 'namespaces'>,
): string | undefined {
  return annotations[key] ?? namespaces.get(namespace)?.annotations[key];
}

/**
 * The policy on a port of the pods if no Server selects it; undefined where it is the mesh's own, and that is not known.
 * The policy controller tightens it where the pods require an identity (linkerd2,
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

/** Default policies where clients need an identity. That of an audit stays as it is. */
const TIGHTENED: Readonly<Record<string, string>> = {
  'all-unauthenticated': 'all-authenticated',
  'cluster-unauthenticated': 'cluster-authenticated',
};

/** Tells whether the pods ask for clients with an identity at a port. */
export function requiresIdentity(pods: Placed, port: number, around: Pick<Surroundings, 'namespaces'>): boolean {
  return isAmong(settingOf(pods, REQUIRE_IDENTITY_INBOUND_PORTS, around) ?? '', port);
}

/** Tells whether connections to a port bypass the proxy, so that no policy counts. */
export function isSkipped(pods: PodSet, port: number, around: Surroundings): boolean {
  return isAmong(settingOf(pods, SKIP_INBOUND_PORTS, around) ?? around.settings.skippedInbound, port);
}

/**
 * Tells whether connections to a port are proxied without a look at their protocol. The injector annotates pods with
 * those of the mesh's opaque ports that their containers declare.
 */
export function isOpaque(pods: Placed & Partial<PodSet>, port: number, around: Surroundings): boolean {
  const said = settingOf(pods, OPAQUE_PORTS, around);
  const ports = pods.ports ?? [{ number: port, name: undefined }];
  const declared = ports.filter(({ number }) => number === port);
  if (said === undefined) return declared.length > 0 && isAmong(around.settings.opaquePorts, port);
  const names = said.split(',').map((entry) => entry.trim());
  return isAmong(said, port) || declared.some(({ name }) => name !== undefined && names.includes(name));
}

/** The numbers that a port has in pods: several containers may have one of its name. */
export function numbersOf(port: unknown, { ports }: Pick<PodSet, 'ports'>): readonly number[] {
  if (typeof port === 'number') return [port];
  return [...new Set(ports.filter(({ name }) => name !== undefined && name === port).map(({ number }) => number))];
}

/** Tells whether a port is in a list of numbers and ranges. Entries may be names of ports; these are compared with nothing. */
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

/** Kubelets send the query along, and routes are compared without it. They put a missing slash before the path. */
function pathOnly(path: string): string {
  const [before = ''] = path.split(/[?#]/);
  return before.startsWith('/') ? before : `/${before}`;
}

function portNumber(port: unknown, ports: readonly PodPort[]): number | undefined {
  return typeof port === 'number' ? port : ports.find(({ name }) => name !== undefined && name === port)?.number;
}

function textsOf(metadata: unknown, field: 'labels' | 'annotations'): Readonly<Record<string, string>> {
  const map = isObject(metadata) ? metadata[field] : undefined;
  return isObject(map) ? (map as Readonly<Record<string, string>>) : {};
}
