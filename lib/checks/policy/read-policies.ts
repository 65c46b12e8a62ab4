import { grouped } from '#base/grouped';
import { isObject, objectOf } from '#base/is-object';
import { itemsOf, textIn } from '#base/select-fields';
import { type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import {
  type AuthorizationObject,
  type ClientIdentity,
  type ClientNetwork,
  type PolicyObjects,
  type RouteMatch,
  type RouteObject,
  type ServerObject,
  targetKey,
} from './policy-objects';

type Parts =
  | { readonly server: ServerObject }
  | { readonly route: RouteObject }
  | { readonly authorization: AuthorizationObject }
  | { readonly identities: readonly ClientIdentity[] }
  | { readonly networks: readonly ClientNetwork[] };

/** Collects the policies among the objects of a cluster. */
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

function partsOf(object: KubernetesObject): Parts | undefined {
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
}

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

/** A rule without matches includes every request. */
function matchesOf(rule: unknown): readonly RouteMatch[] {
  const matches = isObject(rule) ? itemsOf(rule.matches) : [];
  return (matches.length > 0 ? matches : [{}]).map((match) => {
    const { path, headers, queryParams } = objectOf(match);
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
  const { meshTLS, unauthenticated, networks } = objectOf(client);
  return {
    object,
    namespace,
    target: name === undefined ? undefined : targetKey('Server', namespace, name),
    serverSelector: objectOf(server).selector,
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
  return objectOf(spec);
}
