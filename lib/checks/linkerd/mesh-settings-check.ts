import type { Problem } from '#base/findings/problem';
import { goDurationNanoseconds } from '#base/go-duration';
import { objectOf } from '#base/is-object';
import { valueAtPointer } from '#base/json-pointer';
import { remembered } from '#base/remembered';
import { dottedPath } from '#base/value-path';
import { type Values, valueAt } from '#base/values';
import { checkPort } from '#kubernetes/names';
import { describeObject, type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { isNamespace, type PodPlace, podPlaces } from '#kubernetes/objects/pod-places';
import {
  ADMIN_PORT,
  CLOSE_WAIT_TIMEOUT,
  CONTROL_PORT,
  INBOUND_PORT,
  INJECT,
  OUTBOUND_PORT,
} from '#linkerd/annotations';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import { checkEqualPorts } from '#linkerd/injection/proxy-ports';
import { PROXY_CONTAINER } from '../policy/pod-sets';

/** The annotations of a proxy's ports, by the name of the port in the values of the mesh. */
const PORTS = { inbound: INBOUND_PORT, outbound: OUTBOUND_PORT, admin: ADMIN_PORT, control: CONTROL_PORT } as const;

/** A port, and the field that sets it. */
interface ProxyPort {
  readonly name: string;
  readonly field: string;
  readonly port: number;
  /** The annotation is on the object itself. */
  readonly isOwn: boolean;
}

type Annotations = Readonly<Record<string, unknown>>;

/** What the effect of annotations of pods depends on. */
export interface MeshSettings {
  /** The known values of the mesh, with those of a LinkerdConfig merged over them. */
  readonly values: () => Values;
  /** The annotations of the cluster's Namespaces, by name. */
  readonly namespaces: ReadonlyMap<string, Annotations>;
}

/**
 * Checks annotations of pods and Namespaces against the settings of the mesh: ports of a proxy differ from each other,
 * from those of the mesh and from those at which containers listen, and each setting has an effect.
 */
export function checkByMesh(object: KubernetesObject, { values, namespaces }: MeshSettings): readonly Problem[] {
  return placesWithSettings(object).flatMap(({ metadata, spec, annotations }) => {
    const around = isNamespace(object) ? {} : (namespaces.get(namespaceOf(object)) ?? {});
    const own = { annotations, around, values: values() };
    const listening = spec === undefined ? [] : checkContainers(portsOf(own), valueAtPointer(object, spec));
    return placed(object, metadata, [...checkAnnotationsByMesh(own), ...listening]);
  });
}

interface InMesh {
  readonly annotations: Annotations;
  /** The annotations of the Namespace. */
  readonly around?: Annotations;
  readonly values: Values;
  /**
   * Returns the name of a setting in messages.
   *
   * @default - the annotation
   */
  readonly nameOf?: (annotation: string) => string;
}

/** Checks annotations of pods, which a construct may not have written yet, against the values of the mesh. */
export function checkAnnotationsByMesh(own: InMesh): readonly Problem[] {
  const ports = portsOf(own);
  // Equal ports are reported at an object that sets one of them.
  const equal = checkEqualPorts(ports, ({ isOwn }) => isOwn);
  return [...equal, ...checkCniPorts(ports, own.values), ...checkCloseWait(own)];
}

/** Returns the places with annotations of these settings; none for most objects. Pods inherit only ports. */
const placesWithSettings = remembered((object: KubernetesObject) => {
  const [places, keys]: readonly [readonly PodPlace[], readonly string[]] = isNamespace(object)
    ? [[{ metadata: '/metadata' }], Object.values(PORTS)]
    : [podPlaces(object), [...Object.values(PORTS), CLOSE_WAIT_TIMEOUT]];
  return places.flatMap((place) => {
    const all = objectOf(objectOf(valueAtPointer(object, place.metadata)).annotations);
    if (!keys.some((key) => key in all)) return [];
    return [{ ...place, annotations: Object.fromEntries([...keys, INJECT].map((key) => [key, all[key]])) }];
  });
});

function placed(object: KubernetesObject, pointer: string, problems: readonly Problem[]): readonly Problem[] {
  const path = dottedPath(pointer.slice(1).split('/'));
  return problems.map((problem) => ({ ...problem, place: `${describeObject(object)}: ${path}.annotations` }));
}

/** Returns the ports, each from the first annotations that set it, or else from the mesh. */
function portsOf({ annotations, around = {}, values, nameOf = String }: InMesh): readonly ProxyPort[] {
  return Object.entries(PORTS).flatMap(([name, key]): readonly ProxyPort[] => {
    const isSet = (entries: Annotations) => typeof entries[key] === 'string' && entries[key] !== '';
    const [given, field] = isSet(annotations)
      ? [annotations[key], nameOf(key)]
      : isSet(around)
        ? [around[key], `${key} of the Namespace`]
        : [valueAt(values, `proxy.ports.${name}`), `proxy.ports.${name} of the mesh`];
    const port = portOf(given);
    return port === undefined ? [] : [{ name, field, port, isOwn: isSet(annotations) }];
  });
}

/** Annotations are text, and values may be, too. */
function portOf(given: unknown): number | undefined {
  const port = typeof given === 'string' ? Number(given) : given;
  return typeof port === 'number' && checkPort('', port).length === 0 ? port : undefined;
}

/**
 * Reports ports of the proxy to which the CNI plugin would not redirect traffic: of a pod's annotations, the plugin
 * reads only skipped ports and subnets, and the user ID (linkerd2-proxy-init, cni-plugin/main.go).
 */
function checkCniPorts(ports: readonly ProxyPort[], values: Values): readonly Problem[] {
  if (values.cniEnabled !== true) return [];
  return ports
    .filter(({ name, isOwn }) => isOwn && (name === 'inbound' || name === 'outbound'))
    .flatMap(({ name, field, port }) => {
      const own = portOf(valueAt(values, `proxy.ports.${name}`));
      if (own === undefined || own === port) return [];
      return [
        LINKERD_FINDINGS.settingRefusedCniPort({ field, direction: name, port, own: String(own) }, { about: field }),
      ];
    });
}

/**
 * Reports a timeout that no init container sets: the CNI plugin replaces it, or it does not run as root. The injector
 * drops fractions of seconds.
 */
function checkCloseWait({ annotations, values, nameOf = String }: InMesh): readonly Problem[] {
  const timeout = annotations[CLOSE_WAIT_TIMEOUT];
  const isSet = typeof timeout === 'string' && (goDurationNanoseconds(timeout) ?? 0n) >= 1_000_000_000n;
  if (!isSet || annotations[INJECT] === 'disabled') return [];
  const field = nameOf(CLOSE_WAIT_TIMEOUT);
  if (values.cniEnabled === true) return [LINKERD_FINDINGS.settingRefusedCloseWaitCni({ field }, { about: field })];
  if (valueAt(values, 'proxyInit.runAsRoot') !== false) return [];
  return [LINKERD_FINDINGS.settingRefusedCloseWaitTimeout({ field }, { about: field })];
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
