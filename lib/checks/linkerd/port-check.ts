import type { Problem } from '#base/findings/problem';
import { objectOf } from '#base/is-object';
import { valueAtPointer } from '#base/json-pointer';
import { remembered } from '#base/remembered';
import { dottedPath } from '#base/value-path';
import { type Values, valueAt } from '#base/values';
import { describeObject, type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { isNamespace, type PodPlace, podPlaces } from '#kubernetes/objects/pod-places';
import { ADMIN_PORT, CONTROL_PORT, INBOUND_PORT, OUTBOUND_PORT } from '#linkerd/annotations';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import { INJECTION_FINDINGS } from '#linkerd/injection/findings';
import { PROXY_CONTAINER } from '../policy/pod-sets';

/** The ports of a proxy, by their name in the values of the mesh. */
const PORTS = { inbound: INBOUND_PORT, outbound: OUTBOUND_PORT, admin: ADMIN_PORT, control: CONTROL_PORT } as const;

/** A port, and the field that sets it. */
interface ProxyPort {
  readonly field: string;
  readonly port: number;
  /** The annotation is on the object itself. */
  readonly isOwn: boolean;
}

/** The settings of proxies' ports outside of the pods. */
export interface PortContext {
  /** The values of the mesh, with those of a LinkerdConfig merged over them. */
  readonly values: () => Values;
  /** The annotations of the cluster's Namespaces, by name. */
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/**
 * Checks that the ports that annotations of pods and Namespaces set differ from each other, from those of the mesh, and
 * from those at which containers listen.
 */
export function checkProxyPorts(object: KubernetesObject, context: PortContext): readonly Problem[] {
  return placesWithPorts(object).flatMap(({ metadata, spec, annotations }) => {
    const around = isNamespace(object) ? {} : (context.namespaces.get(namespaceOf(object)) ?? {});
    const ports = portsOf([annotations, around], context);
    const listening = spec === undefined ? [] : checkContainers(ports, valueAtPointer(object, spec));
    return placed(object, metadata, [...checkEqual(ports), ...listening]);
  });
}

/** Returns the places with annotations of ports; none for most objects. */
const placesWithPorts = remembered((object: KubernetesObject) => {
  const places: readonly PodPlace[] = isNamespace(object) ? [{ metadata: '/metadata' }] : podPlaces(object);
  return places.flatMap((place) => {
    const annotations = objectOf(objectOf(valueAtPointer(object, place.metadata)).annotations);
    return Object.values(PORTS).some((key) => key in annotations) ? [{ ...place, annotations }] : [];
  });
});

function placed(object: KubernetesObject, pointer: string, problems: readonly Problem[]): readonly Problem[] {
  const path = dottedPath(pointer.slice(1).split('/'));
  return problems.map((problem) => ({ ...problem, place: `${describeObject(object)}: ${path}.annotations` }));
}

/** Returns the ports, each from the first annotations that set it, or else from the mesh. */
function portsOf(
  annotations: readonly Readonly<Record<string, unknown>>[],
  { values }: PortContext,
): readonly ProxyPort[] {
  const mesh = values();
  return Object.entries(PORTS).flatMap(([name, key]): readonly ProxyPort[] => {
    const index = annotations.findIndex((entries) => typeof entries[key] === 'string' && entries[key] !== '');
    const given = index === -1 ? valueAt(mesh, `proxy.ports.${name}`) : annotations[index]?.[key];
    const port = typeof given === 'string' ? Number(given) : given;
    if (typeof port !== 'number' || !Number.isInteger(port)) return [];
    const field = index === -1 ? `proxy.ports.${name} of the mesh` : index === 0 ? key : `${key} of the Namespace`;
    return [{ field, port, isOwn: index === 0 }];
  });
}

/** Reports equal ports at an object that sets one of them; other equal ports are reported where they are set. */
function checkEqual(ports: readonly ProxyPort[]): readonly Problem[] {
  return [...new Set(ports.map(({ port }) => port))].flatMap((port) => {
    const equal = ports.filter((one) => one.port === port);
    const [first] = equal.filter(({ isOwn }) => isOwn);
    if (equal.length < 2 || first === undefined) return [];
    const fields = equal.map(({ field }) => field).join(' and ');
    return [INJECTION_FINDINGS.injectedValueRefusedPortsEqual({ fields, port }, { about: first.field })];
  });
}

function checkContainers(ports: readonly ProxyPort[], spec: unknown): readonly Problem[] {
  const { containers, initContainers } = objectOf(spec);
  return [containers, initContainers].flat().flatMap((container: unknown) => {
    const { name, ports: listed } = objectOf(container);
    // The proxy itself, after `linkerd inject`.
    if (name === PROXY_CONTAINER) return [];
    const taken = Array.isArray(listed) ? listed.map((one: unknown) => objectOf(one)) : [];
    return ports
      .filter(({ isOwn, port }) => isOwn && taken.some((one) => one.containerPort === port && isTcp(one.protocol)))
      .map(({ field, port }) =>
        LINKERD_FINDINGS.settingRefusedPortTaken({ field, port, container: String(name) }, { about: field }),
      );
  });
}

function isTcp(protocol: unknown): boolean {
  return protocol === undefined || protocol === '' || protocol === 'TCP';
}
