import { BlockList, isIPv6 } from 'node:net';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';

/**
 * A model of a Linkerd proxy's authorization, written from the documentation of policies
 * (https://linkerd.io/2-edge/reference/authorization-policy/). The choice of a route follows linkerd2-proxy's
 * implementation of the Gateway API. The model does not use the library's code.
 */

/** The server pod of a connection. */
export interface OraclePod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The paths of probes, by port. */
  readonly probes: Readonly<Record<number, readonly string[]>>;
  /** The value of `config.linkerd.io/default-inbound-policy`. */
  readonly defaultPolicy: string;
}

/** A connection to a pod, and a request on it. */
export interface OracleConnection {
  readonly port: number;
  /** The name in the client's certificate; `undefined` without a certificate. */
  readonly identity?: string;
  readonly ip: string;
  /** `undefined` if the protocol is not HTTP. */
  readonly request?: { readonly method: string; readonly path: string };
}

interface Match {
  readonly method?: string;
  readonly path?: { readonly type: string; readonly value: string };
}

interface Route {
  readonly name: string;
  readonly matches: readonly Match[];
  readonly authorizations: readonly Authorization[];
}

interface Authorization {
  /** The label `authz_name` of metrics and logs. */
  readonly name: string;
  /** The client needs one of these identities; `undefined` if it needs none. */
  readonly identities?: readonly string[] | undefined;
  readonly networks: readonly Network[];
}

interface Network {
  readonly cidr: string;
  readonly except?: readonly string[];
}

const TRUST_DOMAIN = 'cluster.local';
const ANYWHERE: readonly Network[] = [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }];

/** The identity of a ServiceAccount of the mesh. */
export function identityOf(account: string, namespace: string): string {
  return `${account}.${namespace}.serviceaccount.identity.linkerd.${TRUST_DOMAIN}`;
}

/** Whether the pod's proxy allows a connection, or a request on it. */
export function isAllowed(objects: readonly KubernetesObject[], pod: OraclePod, connection: OracleConnection): boolean {
  const decisions = ways(objects, pod, connection).map((tiers) => tiers.flat().some((one) => admits(one, connection)));
  if (new Set(decisions).size > 1) throw new Error('Two routes match a request equally well, and decide differently.');
  return decisions[0] ?? false;
}

/**
 * The possible values of `authz_name` for a connection, or a request on it: the proxy uses the first authorization that
 * matches. Those of a route precede those of the Server (linkerd2-proxy, linkerd/proxy/server-policy/src/authz.rs). The
 * policy controller sends the authorizations of each in any order (linkerd2, policy-controller/grpc/src/inbound.rs).
 */
export function countedAs(
  objects: readonly KubernetesObject[],
  pod: OraclePod,
  connection: OracleConnection,
): readonly string[] {
  const names = ways(objects, pod, connection).flatMap((tiers) => {
    const fitting = tiers.map((tier) => tier.filter((one) => admits(one, connection)));
    return fitting.find((tier) => tier.length > 0)?.map(({ name }) => name) ?? [];
  });
  return [...new Set(names)].toSorted();
}

/** For each route with the best match: its authorizations, then those of the Server. */
function ways(
  objects: readonly KubernetesObject[],
  pod: OraclePod,
  connection: OracleConnection,
): readonly (readonly (readonly Authorization[])[])[] {
  const [server, ...others] = objects.filter((object) => object.kind === 'Server' && selects(object, pod, connection));
  if (others.length > 0) throw new Error('Two Servers select one port: it is not defined which one counts.');
  const { request } = connection;
  const spec = server === undefined ? undefined : specOf(server);
  const ofServer = [
    ...(server === undefined ? [] : authorizationsOf(objects, server)),
    ...byMode(server === undefined ? pod.defaultPolicy : ((spec?.accessPolicy as string | undefined) ?? 'deny')),
  ];
  const isHttp = !['opaque', 'TLS'].includes(String(spec?.proxyProtocol));
  if (request === undefined || !isHttp) return [[ofServer]];
  const own = server === undefined ? [] : routesOf(objects, server);
  const routes = own.length > 0 ? own : defaultRoutes(pod.probes[connection.port] ?? []);
  const fitting = routes.flatMap((route) =>
    (route.matches.length === 0 ? [{}] : route.matches).flatMap((match) => {
      const rank = rankOf(match, request);
      return rank === undefined ? [] : [{ route, rank }];
    }),
  );
  const best = Math.max(...fitting.map(({ rank }) => rank));
  const chosen = [...new Set(fitting.filter(({ rank }) => rank === best).map(({ route }) => route))];
  return chosen.map(({ authorizations }) => [authorizations, ofServer]);
}

function selects({ metadata, spec }: KubernetesObject, pod: OraclePod, { port }: OracleConnection): boolean {
  const { podSelector, port: of } = spec as { podSelector: { matchLabels?: Record<string, string> }; port: number };
  const { matchLabels } = podSelector;
  if (metadata.namespace !== pod.namespace || of !== port || matchLabels === undefined) return false;
  return Object.entries(matchLabels).every(([key, value]) => pod.labels[key] === value);
}

function byMode(mode: string): readonly Authorization[] {
  if (mode === 'audit' || mode === 'all-unauthenticated') return [{ name: mode, networks: ANYWHERE }];
  return mode === 'all-authenticated' ? [{ name: mode, identities: ['*'], networks: ANYWHERE }] : [];
}

function defaultRoutes(probes: readonly string[]): readonly Route[] {
  const all: Route = { name: 'default', matches: [], authorizations: [] };
  const ofProbes: Route = {
    name: 'probe',
    matches: probes.map((value) => ({ method: 'GET', path: { type: 'Exact', value } })),
    authorizations: [{ name: 'probe', networks: ANYWHERE }],
  };
  return probes.length === 0 ? [all] : [all, ofProbes];
}

function routesOf(objects: readonly KubernetesObject[], server: KubernetesObject): readonly Route[] {
  return objects
    .filter(({ kind, metadata, spec }) => {
      const { parentRefs = [] } = (spec ?? {}) as { parentRefs?: readonly { kind: string; name: string }[] };
      const isParent = parentRefs.some((ref) => ref.kind === 'Server' && ref.name === server.metadata.name);
      return kind === 'HTTPRoute' && metadata.namespace === server.metadata.namespace && isParent;
    })
    .map((route) => ({
      name: route.metadata.name,
      matches: (route.spec as { rules: readonly { matches: readonly Match[] }[] }).rules.flatMap(
        (rule) => rule.matches,
      ),
      authorizations: authorizationsOf(objects, route),
    }));
}

function authorizationsOf(objects: readonly KubernetesObject[], target: KubernetesObject): readonly Authorization[] {
  return objects
    .filter(({ kind, metadata, spec }) => {
      const { targetRef } = (spec ?? {}) as { targetRef?: { kind: string; name: string } };
      const isTarget = targetRef?.kind === target.kind && targetRef.name === target.metadata.name;
      return kind === 'AuthorizationPolicy' && metadata.namespace === target.metadata.namespace && isTarget;
    })
    .flatMap((policy) => authorizationOf(objects, policy));
}

/** The authorization of a policy; none, if an authentication that it requires does not exist. */
function authorizationOf(objects: readonly KubernetesObject[], policy: KubernetesObject): readonly Authorization[] {
  const refs = (policy.spec as { requiredAuthenticationRefs: readonly { kind: string; name: string }[] })
    .requiredAuthenticationRefs;
  let identities: readonly string[] | undefined;
  let networks = ANYWHERE;
  for (const { kind, name } of refs) {
    const found = objects.find(
      (object) =>
        object.kind === kind &&
        object.metadata.name === name &&
        object.metadata.namespace === policy.metadata.namespace,
    );
    if (found === undefined) return [];
    if (kind === 'MeshTLSAuthentication') identities = identitiesOf(found);
    if (kind === 'NetworkAuthentication') networks = specOf(found).networks as readonly Network[];
  }
  return [{ name: policy.metadata.name, identities, networks }];
}

function identitiesOf(authentication: KubernetesObject): readonly string[] {
  const { identities = [], identityRefs = [] } = specOf(authentication) as {
    identities?: readonly string[];
    identityRefs?: readonly { kind: string; name: string; namespace?: string }[];
  };
  return [
    ...identities,
    ...identityRefs.map(({ kind, name, namespace = authentication.metadata.namespace ?? '' }) =>
      kind === 'Namespace' ? identityOf('*', name) : identityOf(name, namespace),
    ),
  ];
}

function admits({ identities, networks }: Authorization, { identity, ip }: OracleConnection): boolean {
  const isKnown =
    identities === undefined || (identity !== undefined && identities.some((one) => fitsIdentity(one, identity)));
  return (
    isKnown && networks.some(({ cidr, except = [] }) => contains(cidr, ip) && !except.some((one) => contains(one, ip)))
  );
}

function fitsIdentity(pattern: string, identity: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? identity.endsWith(pattern.slice(1)) : pattern === identity;
}

function contains(cidr: string, ip: string): boolean {
  const [address = '', prefix = ''] = cidr.split('/');
  const family = (text: string) => (isIPv6(text) ? 'ipv6' : 'ipv4');
  if (family(address) !== family(ip)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), family(address));
  return list.check(ip, family(ip));
}

/** The rank of a match: first by the length of its path, then by whether it has a method. */
function rankOf({ method, path }: Match, request: { method: string; path: string }): number | undefined {
  if (method !== undefined && method !== request.method) return undefined;
  const length = path === undefined ? 1 : matchedLength(path, request.path);
  return length === undefined ? undefined : length * 2 + (method === undefined ? 0 : 1);
}

function matchedLength({ type, value }: NonNullable<Match['path']>, path: string): number | undefined {
  if (type === 'Exact') return value === path ? value.length : undefined;
  if (value === '/') return 1;
  const prefix = value.replace(/\/+$/, '');
  const isWithin = path === prefix || path.startsWith(`${prefix}/`);
  return isWithin ? prefix.length : undefined;
}

function specOf({ spec }: KubernetesObject): Readonly<Record<string, unknown>> {
  return spec as Readonly<Record<string, unknown>>;
}
