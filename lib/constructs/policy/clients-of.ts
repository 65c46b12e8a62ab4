import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import {
  type Admission,
  type AuthorizationObject,
  admissionOf,
  admissionsOfMode,
  authorizationsOfRoute,
  authorizationsOfServer,
  type ClientIdentity,
  type ClientNetwork,
  isEverything,
  type PolicyObjects,
  type RouteMatch,
  type RouteObject,
  routesOfServer,
  type ServerObject,
} from '../../checks/policy/policy-objects';
import { readPolicies } from '../../checks/policy/read-policies';

/**
 * Returns the clients that may reach each Server, as text, keyed by Server (`shop/api-http`), for comparing two
 * outputs. Reads Server, AuthorizationPolicy, ServerAuthorization, MeshTLSAuthentication, NetworkAuthentication and
 * routes among the objects of a cluster, and ignores all others. Servers and clients are sorted. Probes that Linkerd
 * allows without a policy are not listed.
 */
export function authorizedClients(objects: readonly KubernetesObject[]): ReadonlyMap<string, readonly string[]> {
  const policies = readPolicies(objects);
  const servers = [...policies.servers.values()].flat();
  return new Map(
    servers
      .map((server) => [`${server.namespace}/${server.name}`, clientsOf(policies, server)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function clientsOf(policies: PolicyObjects, server: ServerObject): readonly string[] {
  const routes = routesOfServer(policies, server);
  const everywhere = [
    ...authorizationsOfServer(policies, server).flatMap((one) => inWords(policies, one)),
    ...admissionsOfMode(server.accessPolicy).flatMap(clientsInWords),
  ];
  const isWhole = routes.length === 0 || routes.some(({ matches }) => matches.some(isEverything));
  const limit = isWhole ? '' : ` (${[...new Set(routes.flatMap(requestsInWords))].toSorted().join(', ')})`;
  const byRoute = routes.flatMap((route) =>
    authorizationsOfRoute(policies, route)
      .flatMap((one) => inWords(policies, one))
      // Clients of an audited Server are authorized for its routes as well.
      .filter((client) => !(isWhole && everywhere.includes(client)))
      .map((client) => `${client} (${requestsInWords(route).join(', ')})`),
  );
  const isAudited = server.accessPolicy === 'audit' ? ['anyone else, audited'] : [];
  const named = everywhere.filter((client) => isAudited.length === 0 || client !== ANYONE);
  return [...new Set([...named.map((client) => `${client}${limit}`), ...byRoute, ...isAudited])].toSorted();
}

const ANYONE = 'anyone';

function inWords(policies: PolicyObjects, authorization: AuthorizationObject): readonly string[] {
  const admission = admissionOf(policies, authorization);
  return admission === undefined ? [] : clientsInWords(admission);
}

function clientsInWords({ identities, networks }: Admission): readonly string[] {
  const from =
    networks === undefined ? '' : ` from ${networks === 'cluster' ? 'the cluster' : networksInWords(networks)}`;
  return identities === undefined
    ? [`${ANYONE}${from}`]
    : identities.map((identity) => `${identityInWords(identity)}${from}`);
}

function identityInWords(identity: ClientIdentity): string {
  if (identity.kind === 'account') return `service account ${identity.namespace}/${identity.name}`;
  if (identity.kind === 'namespace') return `all service accounts of namespace ${identity.name}`;
  return identity.text === '*' ? 'any meshed client' : `identity ${identity.text}`;
}

function networksInWords(networks: readonly ClientNetwork[]): string {
  return networks
    .map(({ cidr, except }) => (except.length === 0 ? cidr : `${cidr} without ${except.join(' and ')}`))
    .join(' or ');
}

function requestsInWords({ kind, name, matches }: RouteObject): readonly string[] {
  return kind === 'GRPCRoute' ? [`GRPCRoute ${name}`] : matches.map(requestInWords);
}

function requestInWords({ path: { type, value }, method, conditions }: RouteMatch): string {
  const path = { Exact: value, PathPrefix: value === '/' ? '/*' : `${value}/*`, RegularExpression: `~${value}` }[type];
  return `${method === undefined ? '' : `${method} `}${path}${conditions === 0 ? '' : ' with conditions'}`;
}
