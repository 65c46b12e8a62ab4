import { describeObject } from '#kubernetes/objects/kubernetes-object';
import type { Warning } from '../warnings';
import { LINKERD_POLICY_FINDINGS } from './findings';
import { type Guards, isOfLinkerd } from './guards';
import type { Admission, ClientIdentity, ClientNetwork, RouteObject, ServerObject } from './policy-objects';

/**
 * Warns about Servers that count allowed clients as audited. The policy controller returns the authorizations of a
 * Server, including that of the audit, in no defined order (linkerd2, policy-controller/grpc/src/inbound.rs), and the
 * proxy takes the first one that matches. Authorizations of routes come first (linkerd2-proxy,
 * linkerd/proxy/server-policy/src/authz.rs).
 */
export function auditWarnings(server: ServerObject, guards: Guards): readonly Warning[] {
  if (server.accessPolicy !== 'audit' || isOfLinkerd(server.object)) return [];
  const clients = guards.admissionsOf(server);
  const routes = routesSeen(server, guards);
  const isRouted =
    routes.length > 0 && routes.every((route) => isAuthorized(clients, guards.admissionsOfRoutes([route])));
  if (clients.length === 0 || isRouted) return [];
  return [
    LINKERD_POLICY_FINDINGS.auditInaccurate({
      server: describeObject(server.object),
      query: `${auditQuery(server, clients)}${byAddress(clients)}`,
    }),
  ];
}

function routesSeen(server: ServerObject, guards: Guards): readonly RouteObject[] {
  if (server.protocol === 'opaque' || server.protocol === 'TLS') return [];
  const kind = server.protocol === 'gRPC' ? 'GRPCRoute' : 'HTTPRoute';
  return guards.routesOf(server).filter((route) => route.kind === kind);
}

function isAuthorized(clients: readonly Admission[], ofRoute: readonly Admission[]): boolean {
  const authorized = new Set(ofRoute.flatMap(partsOf));
  return clients.flatMap(partsOf).every((part) => authorized.has(part));
}

function partsOf({ identities, networks = ALL_NETWORKS }: Admission): readonly string[] {
  const from = networks === 'cluster' ? [networks] : networks.map((network) => JSON.stringify(network));
  return (identities ?? [undefined]).flatMap((identity) => from.map((one) => `${JSON.stringify(identity)} ${one}`));
}

/** All addresses. */
export const ALL_NETWORKS: readonly ClientNetwork[] = [
  { cidr: '0.0.0.0/0', except: [] },
  { cidr: '::/0', except: [] },
];

function auditQuery({ namespace, name }: ServerObject, clients: readonly Admission[]): string {
  const allowed = [...new Set(clients.flatMap(({ identities = [] }) => identities.map(expressionOf)))].toSorted();
  const labels = [
    '__name__=~"inbound_(http|tcp)_authz_allow_total"',
    'authz_name="audit"',
    `namespace="${namespace}"`,
    `srv_name="${name}"`,
    ...(allowed.length === 0 ? [] : [`client_id!~"${allowed.join('|')}"`]),
  ];
  return `sum by (client_id) (rate({${labels.join(',')}}[1h])) > 0`;
}

/**
 * Returns an expression for the identities of a client, with any trust domain:
 * `web.shop.serviceaccount.identity.linkerd.cluster.local`.
 */
function expressionOf(identity: ClientIdentity): string {
  if (identity.kind === 'account') return `${escaped(`${identity.name}.${identity.namespace}.serviceaccount.`)}.+`;
  if (identity.kind === 'namespace') return `.+${escaped(`.${identity.name}.serviceaccount.`)}.+`;
  return identity.text.startsWith('*') ? `.+${escaped(identity.text.slice(1))}` : escaped(identity.text);
}

function escaped(text: string): string {
  return text.replace(/[^A-Za-z0-9-]/g, (character) => `[${character}]`);
}

function byAddress(clients: readonly Admission[]): string {
  const networks = clients
    .filter(({ identities }) => identities === undefined)
    .flatMap(({ networks: from = ALL_NETWORKS }) =>
      from === 'cluster' ? ['the cluster'] : from.map(({ cidr }) => cidr),
    );
  return networks.length === 0
    ? ''
    : `, and clients without an identity by client.ip in the logs of its proxies, where ${networks.join(', ')} are allowed`;
}
