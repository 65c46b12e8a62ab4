import { matchesSelector } from '#base/label-selector';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';

/** A port of some pods, in a Server. */
export interface ServerObject {
  readonly object: KubernetesObject;
  readonly namespace: string;
  readonly name: string;
  readonly podSelector: unknown;
  /** It selects machines outside the cluster instead of pods. */
  readonly isExternal: boolean;
  readonly port: number | string | undefined;
  readonly protocol: string;
  /** The policy for clients without an authorization; undefined is `deny`. */
  readonly accessPolicy: string | undefined;
}

/** One alternative of a route: a request that meets all its conditions matches the route. */
export interface RouteMatch {
  readonly path: { readonly type: 'Exact' | 'PathPrefix' | 'RegularExpression'; readonly value: string };
  readonly method: string | undefined;
  /** Number of conditions on headers and the query, which depend on the request itself. */
  readonly conditions: number;
}

/** Whether a match includes all requests. */
export function isEverything({ path, method, conditions }: RouteMatch): boolean {
  return path.type === 'PathPrefix' && path.value === '/' && method === undefined && conditions === 0;
}

/** A route of HTTP or gRPC requests to Servers. */
export interface RouteObject {
  readonly object: KubernetesObject;
  readonly namespace: string;
  readonly name: string;
  readonly kind: 'HTTPRoute' | 'GRPCRoute';
  /** Names of the Servers in its namespace to which it is attached. */
  readonly servers: readonly string[];
  /** Empty for a GRPCRoute: only its existence matters. */
  readonly matches: readonly RouteMatch[];
}

/** An identity that a client proves by mTLS. */
export type ClientIdentity =
  | { readonly kind: 'account'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'namespace'; readonly name: string }
  /** An identity as text: exact, or `*` and a suffix. */
  | { readonly kind: 'text'; readonly text: string };

/** A block of addresses, without some blocks within it. */
export interface ClientNetwork {
  readonly cidr: string;
  readonly except: readonly string[];
}

/** The clients that one authorization allows: those with one of the identities and from one of the networks. */
export interface Admission {
  /** A client needs one of these identities; undefined if it needs none, and may be outside the mesh. */
  readonly identities: readonly ClientIdentity[] | undefined;
  /** A client must be in one of these networks; undefined for all, `'cluster'` for those of the cluster. */
  readonly networks: readonly ClientNetwork[] | 'cluster' | undefined;
}

/** An object that authorizes clients. */
export interface AuthorizationObject {
  readonly object: KubernetesObject;
  readonly namespace: string;
  /** Key of its target: see `targetKey`. A ServerAuthorization may instead select Servers by their labels. */
  readonly target: string | undefined;
  readonly serverSelector?: unknown;
  readonly refs: readonly AuthenticationRef[];
  /** Clients in the object itself, for a ServerAuthorization. */
  readonly inline?: Admission;
}

interface AuthenticationRef {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** All policies of a cluster, each kind by namespace or name. */
export interface PolicyObjects {
  readonly servers: ReadonlyMap<string, readonly ServerObject[]>;
  /** Routes by the key of each Server to which they are attached. */
  readonly routes: ReadonlyMap<string, readonly RouteObject[]>;
  /** Authorizations by the key of their target. */
  readonly authorizations: ReadonlyMap<string, readonly AuthorizationObject[]>;
  /** ServerAuthorizations that select Servers by labels, by namespace. */
  readonly selecting: ReadonlyMap<string, readonly AuthorizationObject[]>;
  readonly identities: ReadonlyMap<string, readonly ClientIdentity[]>;
  readonly networks: ReadonlyMap<string, readonly ClientNetwork[]>;
}

/** Returns the key of an object in the maps of policies. */
export function targetKey(kind: string, namespace: string, name: string): string {
  return `${kind} ${namespace}/${name}`;
}

/** Returns the authorizations that apply to all requests to a Server, and not only to one of its routes. */
export function authorizationsOfServer(
  { authorizations, selecting }: PolicyObjects,
  { namespace, name, object }: ServerObject,
): readonly AuthorizationObject[] {
  return [
    ...(authorizations.get(targetKey('Server', namespace, name)) ?? []),
    ...(authorizations.get(targetKey('Namespace', namespace, namespace)) ?? []),
    ...(selecting.get(namespace) ?? []).filter(({ serverSelector }) =>
      matchesSelector(serverSelector, object.metadata.labels, 'everything'),
    ),
  ];
}

/** Returns the routes that are attached to a Server. */
export function routesOfServer(
  { routes }: PolicyObjects,
  { namespace, name }: Pick<ServerObject, 'namespace' | 'name'>,
): readonly RouteObject[] {
  return routes.get(targetKey('Server', namespace, name)) ?? [];
}

/** Returns the authorizations for one route. */
export function authorizationsOfRoute(
  { authorizations }: PolicyObjects,
  { kind, namespace, name, object }: RouteObject,
): readonly AuthorizationObject[] {
  return authorizations.get(targetKey(`${apiGroup(object.apiVersion)}/${kind}`, namespace, name)) ?? [];
}

/** Returns the clients that an authorization allows; undefined if it names missing objects, and so allows none. */
export function admissionOf(policies: PolicyObjects, { refs, inline }: AuthorizationObject): Admission | undefined {
  if (inline !== undefined) return inline;
  let identities: readonly ClientIdentity[] | undefined;
  let networks: readonly ClientNetwork[] | undefined;
  for (const { kind, namespace, name } of refs) {
    if (kind === 'ServiceAccount') identities = [{ kind: 'account', namespace, name }];
    else if (kind === 'MeshTLSAuthentication') {
      identities = policies.identities.get(`${namespace}/${name}`);
      if (identities === undefined || identities.length === 0) return undefined;
    } else {
      networks = policies.networks.get(`${namespace}/${name}`);
      if (networks === undefined) return undefined;
    }
  }
  return { identities, networks };
}

/** Returns the clients that a default policy, or the access policy of a Server, allows without any authorization. */
export function admissionsOfMode(mode: string | undefined): readonly Admission[] {
  switch (mode) {
    case 'all-unauthenticated':
    case 'audit':
      return [{ identities: undefined, networks: undefined }];
    case 'all-authenticated':
      return [{ identities: ANY_IDENTITY, networks: undefined }];
    case 'cluster-authenticated':
      return [{ identities: ANY_IDENTITY, networks: 'cluster' }];
    case 'cluster-unauthenticated':
      return [{ identities: undefined, networks: 'cluster' }];
    default:
      return [];
  }
}

const ANY_IDENTITY: readonly ClientIdentity[] = [{ kind: 'text', text: '*' }];
