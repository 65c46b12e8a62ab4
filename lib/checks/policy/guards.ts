import { isObject } from '#base/is-object';
import { fieldPath, itemsOf, selectFields } from '#base/select-fields';
import type { Values } from '#base/values';
import { type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { CONTROL_PLANE_COMPONENT, CREATED_BY, EXTENSION } from '#linkerd/annotations';
import type { PlacedObject } from '../object-rule';
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

interface Request {
  readonly method: string;
  readonly path: string;
}

/** The policies for one port of some pods. */
export interface Guard {
  readonly pods: PodSet;
  readonly port: number;
  /** The effective Server; undefined if the default policy of the pods applies. */
  readonly server: ServerObject | undefined;
  readonly protocol: string;
  /** The value of `accessPolicy`, or the default policy; undefined if the default of the mesh is unknown. */
  readonly mode: string | undefined;
  readonly routes: readonly RouteObject[];
  /** The clients that policies authorize for the port, and not only for some routes. */
  readonly admissions: readonly Admission[];
}

/** The policies of a cluster, with their pods. */
export class Guards {
  readonly policies: PolicyObjects;
  readonly index: PodIndex;
  /** Servers by the pods that they select and the port's number, sorted by name. */
  readonly byPods: ReadonlyMap<PodSet, ReadonlyMap<number, readonly [ServerObject, ...ServerObject[]]>>;
  private readonly paths: ReadonlyMap<KubernetesObject, string>;
  /** The default policy of proxies; undefined if the control plane is installed elsewhere. */
  private readonly meshDefault: string | undefined;
  private readonly services: ReadonlyMap<string, KubernetesObject>;

  /** @param inflated - values of the control plane's chart, if its objects are not among these */
  constructor(
    readonly objects: readonly PlacedObject[],
    inflated: Values = {},
  ) {
    const plain = objects.map(({ object }) => object);
    this.paths = new Map(objects.map(({ object, path }) => [object, path]));
    this.policies = readPolicies(plain);
    // Clusters whose values differ only in irrelevant ways share the checked objects, which are read once.
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

  /** Returns the path of an object's construct. */
  pathOf(object: KubernetesObject): string {
    return this.paths.get(object) ?? '';
  }

  /** Returns the sets of pods that a Server selects. */
  podsOf({ namespace, podSelector, isExternal }: ServerObject): readonly PodSet[] {
    return isExternal ? [] : this.index.select(namespace, podSelector);
  }

  /**
   * Returns the policies for a port of pods; undefined if none are enforced, because connections bypass the proxy or
   * the Servers are ambiguous.
   */
  guardOf(pods: PodSet, port: number): Guard | undefined {
    const servers = this.byPods.get(pods)?.get(port) ?? [];
    const [server] = servers;
    // Two Servers for one port are reported separately.
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

  /** Returns the routes that are attached to a Server. */
  routesOf(server: ServerObject | undefined): readonly RouteObject[] {
    return server === undefined ? [] : routesOfServer(this.policies, server);
  }

  /** Returns the clients that policies authorize for a Server, and not only for some routes. Ignores `accessPolicy`. */
  admissionsOf(server: ServerObject | undefined): readonly Admission[] {
    return server === undefined ? [] : this.admitted(authorizationsOfServer(this.policies, server));
  }

  /**
   * Returns the clients that may make a request. If a match depends on more than method and path, returns all possible
   * clients.
   */
  clientsOf({ routes, admissions }: Guard, request: Request): readonly Admission[] {
    if (routes.length === 0) return admissions;
    const fitting = routes
      .filter(({ kind }) => kind === 'HTTPRoute')
      .flatMap((route) => route.matches.map((match) => ({ route, rank: rankOf(match, request) })))
      .filter(({ rank }) => rank > 0);
    if (fitting.length === 0) return [];
    const best = Math.max(...fitting.map(({ rank }) => rank));
    const chosen = fitting.filter(
      ({ rank, route }) => rank === best || route.matches.some(({ conditions }) => conditions > 0),
    );
    return [
      ...chosen.flatMap(({ route }) => this.admitted(authorizationsOfRoute(this.policies, route))),
      ...admissions,
    ];
  }

  /** Returns the clients of routes, for any requests. */
  admissionsOfRoutes(routes: readonly RouteObject[]): readonly Admission[] {
    return routes.flatMap((route) => this.admitted(authorizationsOfRoute(this.policies, route)));
  }

  /** Returns a Service by its name. */
  service(namespace: string, name: string): KubernetesObject | undefined {
    return this.services.get(`${namespace}/${name}`);
  }

  /** Returns the guarded ports of the pods of a Service, for one of its ports by number or name. */
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

/** Returns the default policy of all proxies, if an object is the Deployment of the mesh's policy controller. */
export function defaultPolicyOfMesh(object: KubernetesObject): string | undefined {
  if (object.kind !== 'Deployment' || object.metadata.labels?.[CONTROL_PLANE_COMPONENT] !== 'destination')
    return undefined;
  const argument = selectFields(object, POLICY_ARGUMENTS).find(({ value }) => `${value}`.startsWith(DEFAULT_POLICY));
  return argument === undefined ? undefined : `${argument.value}`.slice(DEFAULT_POLICY.length);
}

/** Whether clients need no identity: kubelets have none. */
export function isOpen({ identities }: Admission): boolean {
  return identities === undefined;
}

/** Whether an object belongs to one of Linkerd's charts, which need no check. */
export function isOfLinkerd({ metadata }: KubernetesObject): boolean {
  const { annotations, labels } = metadata;
  // Some objects of multi-cluster have no annotation.
  return annotations?.[CREATED_BY] !== undefined || labels?.[EXTENSION] !== undefined;
}

/** Whether pods belong to the control plane. */
export function isControlPlane({ labels }: PodSet): boolean {
  return labels[CONTROL_PLANE_COMPONENT] !== undefined;
}

/** Returns the rank of a match for a request, as in linkerd/http/route of linkerd2-proxy; zero if it does not match. */
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
    // JavaScript does not support all syntax of Rust: the matches are unknown.
    return true;
  }
}
