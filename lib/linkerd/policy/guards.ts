import type { PlacedObject } from '../../kubernetes/checks/object-rule';
import { type KubernetesObject, namespaceOf } from '../../kubernetes/kubernetes-object';
import { apiGroup } from '../../kubernetes/scope';
import { fieldPath, isObject, itemsOf, selectFields } from '../../kubernetes/select-fields';
import type { Values } from '../../kubernetes/values';
import { CONTROL_PLANE_COMPONENT, CREATED_BY, EXTENSION } from '../annotations';
import { PodIndex } from './pod-index';
import { defaultPolicyAt, isOpaque, isSkipped, numbersOf, type PodSet } from './pod-sets';
import {
  type Admission,
  type AuthorizationObject,
  admissionOf,
  admissionsOfMode,
  authorizationsOfRoute,
  authorizationsOfServer,
  type PolicyObjects,
  type RouteMatch,
  type RouteObject,
  routesOfServer,
  type ServerObject,
} from './policy-objects';
import { defaultPolicyIn, proxySettingsIn } from './proxy-settings';
import { readPolicies } from './read-policies';

/** Port at which proxies serve metrics and probes (default of the chart value `proxy.ports.admin`). */
export const PROXY_ADMIN_PORT = 4191;

/** A request, as far as routes look at it. */
interface Request {
  readonly method: string;
  readonly path: string;
}

/** The policies on one port of some pods. */
export interface Guard {
  readonly pods: PodSet;
  readonly port: number;
  /** The one that counts; undefined where the default policy of the pods does. */
  readonly server: ServerObject | undefined;
  readonly protocol: string;
  /** The value of `accessPolicy`, or the default policy; undefined where that is the mesh's own. */
  readonly mode: string | undefined;
  readonly routes: readonly RouteObject[];
  /** The clients of all of the port. */
  readonly admissions: readonly Admission[];
}

/** The policies of a cluster with the pods that they are about. */
export class Guards {
  readonly policies: PolicyObjects;
  readonly index: PodIndex;
  /** Servers by the pods that they select, and their numbers of the port, in the order of their names. */
  readonly byPods: ReadonlyMap<PodSet, ReadonlyMap<number, readonly [ServerObject, ...ServerObject[]]>>;
  private readonly paths: ReadonlyMap<KubernetesObject, string>;
  /** The policy of proxies where nothing says otherwise; undefined where the control plane is somebody else's. */
  private readonly meshDefault: string | undefined;
  private readonly services: ReadonlyMap<string, KubernetesObject>;

  /** @param inflated - values of the control plane's chart, where its objects are not among these */
  constructor(
    readonly objects: readonly PlacedObject[],
    inflated: Values = {},
  ) {
    const plain = objects.map(({ object }) => object);
    this.paths = new Map(objects.map(({ object, path }) => [object, path]));
    this.policies = readPolicies(plain);
    // Clusters whose values differ in nothing that matters share what is checked, which is read once.
    const checked = () => objects.map(({ object, checkedAs = object }) => checkedAs);
    this.index = new PodIndex(plain, () => proxySettingsIn(checked(), inflated));
    this.meshDefault = plain.flatMap((object) => defaultPolicyOfMesh(object) ?? [])[0] ?? defaultPolicyIn(inflated);
    this.services = new Map(
      plain
        .filter(({ apiVersion, kind }) => kind === 'Service' && apiGroup(apiVersion) === '')
        .map((object) => [`${namespaceOf(object)}/${object.metadata.name}`, object]),
    );
    this.byPods = this.serversByPods();
  }

  /** The path of an object's construct. */
  pathOf(object: KubernetesObject): string {
    return this.paths.get(object) ?? '';
  }

  /** The sets of pods that a Server selects. */
  podsOf({ namespace, podSelector, isExternal }: ServerObject): readonly PodSet[] {
    return isExternal ? [] : this.index.select(namespace, podSelector);
  }

  /** The policies on a port of pods; undefined where none are kept: connections pass the proxy by, or are as undefined. */
  guardOf(pods: PodSet, port: number): Guard | undefined {
    const servers = this.byPods.get(pods)?.get(port) ?? [];
    const [server] = servers;
    // Two Servers are a problem of their own.
    if (servers.length > 1 || isSkipped(pods, port, this.index)) return undefined;
    const ofPods = isOpaque(pods, port, this.index) ? 'opaque' : 'unknown';
    const byDefault = defaultPolicyAt(pods, port, this.index, this.meshDefault);
    const mode = server === undefined ? byDefault : (server.accessPolicy ?? 'deny');
    return {
      pods,
      port,
      server,
      protocol: server?.protocol ?? ofPods,
      mode,
      routes: this.routesOf(server),
      admissions: [...this.admissionsOf(server), ...admissionsOfMode(mode)],
    };
  }

  /** The routes that are attached to a Server. */
  routesOf(server: ServerObject | undefined): readonly RouteObject[] {
    return server === undefined ? [] : routesOfServer(this.policies, server);
  }

  /** The clients of all of a Server, but for its access policy. */
  admissionsOf(server: ServerObject | undefined): readonly Admission[] {
    return server === undefined ? [] : this.admitted(authorizationsOfServer(this.policies, server));
  }

  /** The clients that may make a request. Where it hangs on more than method and path, all that may. */
  clientsOf({ routes, admissions }: Guard, request: Request): readonly Admission[] {
    if (routes.length === 0) return admissions;
    const fitting = routes
      .filter(({ kind }) => kind === 'HTTPRoute')
      .flatMap((route) => route.matches.map((match) => ({ route, rank: rankOf(match, request) })))
      .filter(({ rank }) => rank > 0);
    if (fitting.length === 0) return [];
    const best = Math.max(...fitting.map(({ rank }) => rank));
    const chosen = fitting.filter(({ rank, route }) => rank === best || hasConditions(route));
    return [
      ...chosen.flatMap(({ route }) => this.admitted(authorizationsOfRoute(this.policies, route))),
      ...admissions,
    ];
  }

  /** The clients of routes, whatever requests these are about. */
  admissionsOfRoutes(routes: readonly RouteObject[]): readonly Admission[] {
    return routes.flatMap((route) => this.admitted(authorizationsOfRoute(this.policies, route)));
  }

  /** A Service by its name. */
  service(namespace: string, name: string): KubernetesObject | undefined {
    return this.services.get(`${namespace}/${name}`);
  }

  /** The guarded ports of pods behind a Service, for one port of it by its number or name. */
  portsBehind(service: KubernetesObject, wanted: unknown): readonly Guard[] {
    const { selector, ports } = isObject(service.spec) ? service.spec : {};
    if (!isObject(selector)) return [];
    const pods = this.index.select(namespaceOf(service), { matchLabels: selector });
    const targets = itemsOf(ports)
      .filter(isObject)
      .filter(({ port, name }) => wanted === undefined || wanted === port || wanted === name)
      .map(({ port, targetPort }) => targetPort ?? port);
    return pods.flatMap((one) =>
      targets.flatMap((target) => {
        return numbersOf(target, one).flatMap((number) => this.guardOf(one, number) ?? []);
      }),
    );
  }

  private admitted(authorizations: readonly AuthorizationObject[]): readonly Admission[] {
    return authorizations.flatMap((one) => admissionOf(this.policies, one) ?? []);
  }

  private serversByPods() {
    const byPods = new Map<PodSet, Map<number, [ServerObject, ...ServerObject[]]>>();
    const servers = [...this.policies.servers.values()].flat();
    for (const server of servers.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      for (const pods of this.podsOf(server)) {
        const byPort = byPods.get(pods) ?? new Map<number, [ServerObject, ...ServerObject[]]>();
        byPods.set(pods, byPort);
        for (const port of numbersOf(server.port, pods)) {
          const known = byPort.get(port);
          if (known === undefined) byPort.set(port, [server]);
          else known.push(server);
        }
      }
    }
    return byPods;
  }
}

const POLICY_ARGUMENTS = fieldPath('spec.template.spec.containers[].args[]');
const DEFAULT_POLICY = '--default-policy=';

/** The default policy of all proxies, where an object is the Deployment of the mesh's policy controller. */
export function defaultPolicyOfMesh(object: KubernetesObject): string | undefined {
  if (object.kind !== 'Deployment' || object.metadata.labels?.[CONTROL_PLANE_COMPONENT] !== 'destination')
    return undefined;
  const argument = selectFields(object, POLICY_ARGUMENTS).find(({ value }) => `${value}`.startsWith(DEFAULT_POLICY));
  return argument === undefined ? undefined : `${argument.value}`.slice(DEFAULT_POLICY.length);
}

/** Tells whether clients need no identity: kubelets have none. */
export function isOpen({ identities }: Admission): boolean {
  return identities === undefined;
}

/** Tells whether an object is of a chart of Linkerd's, which is known to be right. */
export function isOfLinkerd({ metadata }: KubernetesObject): boolean {
  const { annotations, labels } = metadata;
  // Not all of that of multi-cluster is signed.
  return annotations?.[CREATED_BY] !== undefined || labels?.[EXTENSION] !== undefined;
}

/** Tells whether pods are the control plane's. */
export function isControlPlane({ labels }: PodSet): boolean {
  return labels[CONTROL_PLANE_COMPONENT] !== undefined;
}

/** The rank of a match among those that fit a request, by linkerd2-proxy's linkerd/http/route; zero if it does not fit. */
function rankOf({ path: { type, value }, method }: RouteMatch, request: Request): number {
  if (method !== undefined && method !== request.method) return 0;
  const length = lengthOf(type, value, request.path);
  return length === 0 ? 0 : length * 2 + (method === undefined ? 0 : 1);
}

function lengthOf(type: RouteMatch['path']['type'], value: string, path: string): number {
  if (type === 'RegularExpression') return fitsExpression(value, path) ? path.length : 0;
  if (type === 'Exact') return value === path ? value.length : 0;
  const prefix = value.replace(/\/+$/, '');
  return prefix === '' ? 1 : path === prefix || path.startsWith(`${prefix}/`) ? prefix.length : 0;
}

function fitsExpression(expression: string, path: string): boolean {
  try {
    return new RegExp(`^(?:${expression})$`).test(path);
  } catch {
    // Of a syntax that only Rust knows: what it fits is not known.
    return true;
  }
}

function hasConditions({ matches }: RouteObject): boolean {
  return matches.some(({ conditions }) => conditions > 0);
}
