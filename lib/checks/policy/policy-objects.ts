import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { matchesSelector } from '../../kubernetes/label-selector';
import { remembered } from '../../kubernetes/remembered';
import { apiGroup } from '../../kubernetes/scope';
import { isObject, itemsOf, textIn } from '../../kubernetes/select-fields';
import { grouped } from './grouped';

/** A port of some pods, as a Server describes it. */
export interface ServerObject {
  readonly object: KubernetesObject;
  readonly namespace: string;
  readonly name: string;
  readonly podSelector: unknown;
  /** Tells whether it is about machines outside of the cluster, not about pods. */
  readonly isExternal: boolean;
  readonly port: number | string | undefined;
  readonly protocol: string;
  /** The policy on clients that nothing authorizes; undefined is `deny`. */
  readonly accessPolicy: string | undefined;
}

/** One alternative of a route: a request that fits all of it fits the route. */
export interface RouteMatch {
  readonly path: { readonly type: 'Exact' | 'PathPrefix' | 'RegularExpression'; readonly value: string };
  readonly method: string | undefined;
  /** Number of conditions on headers and on the query, which only the request itself can tell. */
  readonly conditions: number;
}

/** A route of HTTP or gRPC requests to Servers. */
export interface RouteObject {
  readonly object: KubernetesObject;
  readonly namespace: string;
  readonly name: string;
  readonly kind: 'HTTPRoute' | 'GRPCRoute';
  /** Names of the Servers in its namespace that it is attached to. */
  readonly servers: readonly string[];
  /** Empty for a GRPCRoute, of which only its being there counts. */
  readonly matches: readonly RouteMatch[];
}

/** An identity that a client proves by mTLS. */
export type ClientIdentity =
  | { readonly kind: 'account'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'namespace'; readonly name: string }
  /** An identity as text: exact, or `*` and a suffix. */
  | { readonly kind: 'text'; readonly text: string };

/** A block of addresses, without others in it. */
export interface ClientNetwork {
  readonly cidr: string;
  readonly except: readonly string[];
}

/** The clients that one authorization lets in: those that have one of the identities and come from one of the networks. */
export interface Admission {
  /** The identities of which a client needs one; undefined where it needs none, and may be outside of the mesh. */
  readonly identities: readonly ClientIdentity[] | undefined;
  /** The networks of which a client needs one; undefined for all, `'cluster'` for those of the cluster. */
  readonly networks: readonly ClientNetwork[] | 'cluster' | undefined;
}

/** An object that authorizes clients. */
export interface AuthorizationObject {
  readonly object: KubernetesObject;
  readonly namespace: string;
  /** Keys of its target: see `targetKey`. A ServerAuthorization selects Servers by their labels otherwise. */
  readonly target: string | undefined;
  readonly serverSelector?: unknown;
  readonly refs: readonly AuthenticationRef[];
  /** Clients that stand in the object itself, of a ServerAuthorization. */
  readonly inline?: Admission;
}

/** A reference of an AuthorizationPolicy to those whom it lets in. */
interface AuthenticationRef {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** All policies of a cluster, each kind by its namespace or name. */
export interface PolicyObjects {
  readonly servers: ReadonlyMap<string, readonly ServerObject[]>;
  /** Routes by the key of each Server that they are attached to. */
  readonly routes: ReadonlyMap<string, readonly RouteObject[]>;
  /** Authorizations by the key of their target. */
  readonly authorizations: ReadonlyMap<string, readonly AuthorizationObject[]>;
  /** Older authorizations, which select Servers by labels, by namespace. */
  readonly selecting: ReadonlyMap<string, readonly AuthorizationObject[]>;
  readonly identities: ReadonlyMap<string, readonly ClientIdentity[]>;
  readonly networks: ReadonlyMap<string, readonly ClientNetwork[]>;
}

type Parts =
  | { readonly server: ServerObject }
  | { readonly route: RouteObject }
  | { readonly authorization: AuthorizationObject }
  | { readonly identities: readonly ClientIdentity[] }
  | { readonly networks: readonly ClientNetwork[] };

/** The key of an object in the maps of policies. */
export function targetKey(kind: string, namespace: string, name: string): string {
  return `${kind} ${namespace}/${name}`;
}

/** Sorts the policies out of the objects of a cluster. */
export function readPolicies(objects: readonly KubernetesObject[]): PolicyObjects {
  const found = objects.flatMap((object) => {
    const parts = partsOf(object);
    return parts === undefined ? [] : [{ key: `${namespaceOf(object)}/${object.metadata.name}`, parts }];
  });
  const servers = found.flatMap(({ parts }) => ('server' in parts ? [parts.server] : []));
  const routes = found.flatMap(({ parts }) => ('route' in parts ? [parts.route] : []));
  const authorizations = found.flatMap(({ parts }) => ('authorization' in parts ? [parts.authorization] : []));
  return {
    servers: grouped(servers.map((server) => [server.namespace, server])),
    routes: grouped(
      routes.flatMap((route) =>
        route.servers.map((server) => [targetKey('Server', route.namespace, server), route] as const),
      ),
    ),
    authorizations: grouped(authorizations.map((one) => [one.target ?? '', one])),
    selecting: grouped(authorizations.flatMap((one) => (one.target === undefined ? [[one.namespace, one]] : []))),
    identities: new Map(found.flatMap(({ key, parts }) => ('identities' in parts ? [[key, parts.identities]] : []))),
    networks: new Map(found.flatMap(({ key, parts }) => ('networks' in parts ? [[key, parts.networks]] : []))),
  };
}

/** Authorizations that count for all of a Server. */
export function authorizationsOfServer(
  { authorizations, selecting }: PolicyObjects,
  { namespace, name, object }: ServerObject,
): readonly AuthorizationObject[] {
  return [
    ...(authorizations.get(targetKey('Server', namespace, name)) ?? []),
    ...(authorizations.get(targetKey('Namespace', namespace, namespace)) ?? []),
    ...(selecting.get(namespace) ?? []).filter(({ serverSelector }) =>
      matchesSelector(serverSelector, object.metadata.labels ?? {}),
    ),
  ];
}

/** Authorizations that count for one route. */
export function authorizationsOfRoute(
  { authorizations }: PolicyObjects,
  { kind, namespace, name, object }: RouteObject,
): readonly AuthorizationObject[] {
  return authorizations.get(targetKey(`${apiGroup(object.apiVersion)}/${kind}`, namespace, name)) ?? [];
}

/** The clients that an authorization lets in; undefined where it names what does not exist, and so lets nobody in. */
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

/** The clients that a default policy, or the access policy of a Server, lets in without any authorization. */
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

const partsOf: (object: KubernetesObject) => Parts | undefined = remembered((object) => {
  switch (`${apiGroup(object.apiVersion)}/${object.kind}`) {
    case 'policy.linkerd.io/Server':
      return { server: serverOf(object) };
    case 'policy.linkerd.io/HTTPRoute':
    case 'gateway.networking.k8s.io/HTTPRoute':
    case 'gateway.networking.k8s.io/GRPCRoute':
      return { route: routeOf(object) };
    case 'policy.linkerd.io/AuthorizationPolicy':
      return { authorization: authorizationOf(object) };
    case 'policy.linkerd.io/ServerAuthorization':
      return { authorization: serverAuthorizationOf(object) };
    case 'policy.linkerd.io/MeshTLSAuthentication':
      return { identities: identitiesOf(object) };
    case 'policy.linkerd.io/NetworkAuthentication':
      return { networks: networksOf(specOf(object).networks) };
    default:
      return undefined;
  }
});

function serverOf(object: KubernetesObject): ServerObject {
  const spec = specOf(object);
  const { port } = spec;
  return {
    object,
    namespace: namespaceOf(object),
    name: object.metadata.name,
    podSelector: spec.podSelector,
    isExternal: spec.podSelector === undefined && spec.externalWorkloadSelector !== undefined,
    port: typeof port === 'number' || typeof port === 'string' ? port : undefined,
    protocol: textIn(spec, 'proxyProtocol') ?? 'unknown',
    accessPolicy: textIn(spec, 'accessPolicy'),
  };
}

function routeOf(object: KubernetesObject): RouteObject {
  const spec = specOf(object);
  const namespace = namespaceOf(object);
  const parents = itemsOf(spec.parentRefs).filter(
    (ref) => textIn(ref, 'kind') === 'Server' && (textIn(ref, 'namespace') ?? namespace) === namespace,
  );
  return {
    object,
    namespace,
    name: object.metadata.name,
    kind: object.kind === 'GRPCRoute' ? 'GRPCRoute' : 'HTTPRoute',
    servers: parents.flatMap((ref) => textIn(ref, 'name') ?? []),
    matches: object.kind === 'GRPCRoute' ? [] : itemsOf(spec.rules).flatMap(matchesOf),
  };
}

/** A rule without matches fits every request. */
function matchesOf(rule: unknown): readonly RouteMatch[] {
  const matches = isObject(rule) ? itemsOf(rule.matches) : [];
  return (matches.length > 0 ? matches : [{}]).map((match) => {
    const { path, headers, queryParams } = isObject(match) ? match : {};
    const type = textIn(path, 'type');
    return {
      path: {
        type: type === 'Exact' || type === 'RegularExpression' ? type : 'PathPrefix',
        value: textIn(path, 'value') ?? '/',
      },
      method: textIn(match, 'method'),
      conditions: itemsOf(headers).length + itemsOf(queryParams).length,
    };
  });
}

function authorizationOf(object: KubernetesObject): AuthorizationObject {
  const { targetRef, requiredAuthenticationRefs } = specOf(object);
  const namespace = namespaceOf(object);
  const kind = textIn(targetRef, 'kind') ?? '';
  const name = textIn(targetRef, 'name') ?? '';
  const group = textIn(targetRef, 'group') ?? '';
  return {
    object,
    namespace,
    target: targetKey(kind.endsWith('Route') ? `${group}/${kind}` : kind, namespace, name),
    refs: itemsOf(requiredAuthenticationRefs).map((ref) => ({
      kind: textIn(ref, 'kind') ?? '',
      namespace: textIn(ref, 'namespace') ?? namespace,
      name: textIn(ref, 'name') ?? '',
    })),
  };
}

function serverAuthorizationOf(object: KubernetesObject): AuthorizationObject {
  const { server, client } = specOf(object);
  const namespace = namespaceOf(object);
  const name = textIn(server, 'name');
  const { meshTLS, unauthenticated, networks } = isObject(client) ? client : {};
  return {
    object,
    namespace,
    target: name === undefined ? undefined : targetKey('Server', namespace, name),
    serverSelector: isObject(server) ? server.selector : undefined,
    refs: [],
    inline: {
      identities: unauthenticated === true || !isObject(meshTLS) ? undefined : meshTlsIdentities(meshTLS, namespace),
      networks: networks === undefined ? 'cluster' : networksOf(networks),
    },
  };
}

function meshTlsIdentities(meshTls: Readonly<Record<string, unknown>>, namespace: string): readonly ClientIdentity[] {
  return [
    ...textIdentities(meshTls.identities),
    ...itemsOf(meshTls.serviceAccounts).map((ref) => accountOf(ref, namespace)),
  ];
}

function identitiesOf(object: KubernetesObject): readonly ClientIdentity[] {
  const { identities, identityRefs } = specOf(object);
  const namespace = namespaceOf(object);
  return [
    ...textIdentities(identities),
    ...itemsOf(identityRefs).map(
      (ref): ClientIdentity =>
        textIn(ref, 'kind') === 'Namespace'
          ? { kind: 'namespace', name: textIn(ref, 'name') ?? '' }
          : accountOf(ref, namespace),
    ),
  ];
}

function accountOf(ref: unknown, namespace: string): ClientIdentity {
  return { kind: 'account', namespace: textIn(ref, 'namespace') ?? namespace, name: textIn(ref, 'name') ?? '' };
}

function textIdentities(list: unknown): readonly ClientIdentity[] {
  return itemsOf(list).flatMap((text): readonly ClientIdentity[] =>
    typeof text === 'string' ? [{ kind: 'text', text }] : [],
  );
}

function networksOf(list: unknown): readonly ClientNetwork[] {
  return itemsOf(list).flatMap((network) => {
    const cidr = textIn(network, 'cidr');
    const except = isObject(network) ? itemsOf(network.except).filter((text) => typeof text === 'string') : [];
    return cidr === undefined ? [] : [{ cidr, except }];
  });
}

function specOf({ spec }: KubernetesObject): Readonly<Record<string, unknown>> {
  return isObject(spec) ? spec : {};
}

function namespaceOf({ metadata }: KubernetesObject): string {
  return metadata.namespace ?? 'default';
}
