import { DEFAULT_INBOUND_POLICY, INJECT, OPAQUE_PORTS, SKIP_INBOUND_PORTS } from '../../kubernetes/annotations';
import { valueAt } from '../../kubernetes/json-pointer';
import { type KubernetesObject, namespaceOf } from '../../kubernetes/kubernetes-object';
import { isNamespace, podPlaces } from '../../kubernetes/pod-places';
import { remembered } from '../../kubernetes/remembered';
import { isObject, itemsOf, textIn } from '../../kubernetes/select-fields';

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
}

/** All of pods that decides their settings. */
type Placed = Pick<PodSet, 'annotations' | 'namespace'>;

/** The annotations of namespaces that pods inherit, by the name of the namespace. */
export type NamespaceAnnotations = ReadonlyMap<string, Readonly<Record<string, string>>>;

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
    },
  ];
}

/** Tells whether the pods have a proxy; undefined where that is not known, as their namespace is somebody else's. */
export function isMeshed({ annotations, namespace, hostNetwork }: PodSet, namespaces: NamespaceAnnotations) {
  if (hostNetwork) return false;
  const inherited = namespaces.get(namespace);
  const mode = annotations[INJECT] || inherited?.[INJECT];
  if (mode === 'enabled' || mode === 'ingress') return true;
  return mode === 'disabled' || inherited !== undefined ? false : undefined;
}

/** The annotation that counts for pods: their own, or that of their namespace, which the injector copies. */
function settingOf({ annotations, namespace }: Placed, key: string, namespaces: NamespaceAnnotations) {
  return annotations[key] ?? namespaces.get(namespace)?.[key];
}

/** The policy on ports of the pods that no Server selects; undefined where it is the mesh's own. */
export function defaultPolicyOf(pods: PodSet, namespaces: NamespaceAnnotations): string | undefined {
  return settingOf(pods, DEFAULT_INBOUND_POLICY, namespaces);
}

/** Tells whether connections to a port pass the proxy by, so that no policy counts. */
export function isSkipped(pods: PodSet, port: number, namespaces: NamespaceAnnotations): boolean {
  return isAmong(settingOf(pods, SKIP_INBOUND_PORTS, namespaces), port);
}

/** Tells whether connections to a port are proxied without a look at their protocol; undefined where nothing says so. */
export function isOpaque(pods: Placed, port: number, namespaces: NamespaceAnnotations): boolean | undefined {
  const ports = settingOf(pods, OPAQUE_PORTS, namespaces);
  return ports === undefined ? undefined : isAmong(ports, port);
}

/** The numbers that a port has in pods: several containers may have one of its name. */
export function numbersOf(port: unknown, { ports }: Pick<PodSet, 'ports'>): readonly number[] {
  if (typeof port === 'number') return [port];
  return [...new Set(ports.filter(({ name }) => name !== undefined && name === port).map(({ number }) => number))];
}

/** Entries may be names of ports in later releases; these are compared with nothing here. */
function isAmong(list: string | undefined, port: number): boolean {
  return (list ?? '').split(',').some((entry) => {
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
