import type { Problem } from '#base/findings/problem';
import type {
  AuthorizationPolicy,
  HTTPRouteV1Beta3,
  MeshTLSAuthentication,
  NetworkAuthentication,
} from '#imports/crds/policy.linkerd.io';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { POLICY_GROUP } from '#linkerd/api-groups';
import { ALL_NETWORKS } from '../../checks/policy/audit-warnings';
import { numbersOf } from '../../checks/policy/pod-sets';
import type { ClientIdentity, ClientNetwork } from '../../checks/policy/policy-objects';
import { type ClientSet, isNobody, NO_CLIENTS, union } from './client-set';
import { POLICY_FINDINGS } from './findings';
import type { GuardedPort } from './guarded-ports';
import { checkTies, type GrantedRequests, groupRequests, type RequestGroup } from './requests';

/** The protocol of a port. With `unknown`, proxies detect HTTP. */
export type PortProtocol = 'unknown' | 'HTTP/1' | 'HTTP/2' | 'gRPC' | 'opaque' | 'TLS';

/**
 * What to do with requests and connections that no policy allows: refuse them, or allow them and report them in logs
 * and metrics.
 */
export type PolicyMode = 'audit' | 'deny';

interface PortGrant {
  readonly clients: ClientSet;
  /** Empty for all requests, and for connections that are not requests. */
  readonly requests: readonly GrantedRequests[];
  /** Paths that kubelets request in addition to those of the probes. */
  readonly probePaths: readonly string[];
}

/** The policy of one port. */
export interface PortPolicy {
  readonly port: GuardedPort;
  readonly grants: readonly PortGrant[];
  readonly protocol: PortProtocol | undefined;
  /** The policy for clients that no other policy authorizes; undefined for `deny`. */
  readonly accessPolicy: string | undefined;
  /** Version of Server. */
  readonly serverVersion: string;
  /** Networks from which kubelets probe. */
  readonly probeNetworks: readonly string[];
}

/** Identifies kubelets by their networks, because they have no identity. */
function kubelets({ probeNetworks }: PortPolicy): ClientSet {
  const isAnywhere = probeNetworks.some((network) => ALL_NETWORKS.some(({ cidr }) => cidr === network));
  const networks = isAnywhere ? ALL_NETWORKS : probeNetworks.map((cidr) => ({ cidr, except: [] }));
  return { ...NO_CLIENTS, networks };
}

const VERSION = 'policy.linkerd.io/v1alpha1';

/** Protocols for which the proxy sees no HTTP requests that an HTTPRoute could match. */
const WITHOUT_HTTP: readonly (string | undefined)[] = ['opaque', 'TLS', 'gRPC'];

/** Renders the objects that enforce a policy: authorizations first, then the Server, which refuses other clients. */
export function portPolicyObjects(policy: PortPolicy): readonly KubernetesObject[] {
  const { port } = policy;
  const whole = wholeClients(policy);
  const groups = requestGroups(policy);
  return [
    ...authorizations(port, port.name, { kind: 'Server', name: port.name }, whole),
    ...groups.flatMap((group) => {
      const name = `${port.name}-${groupName(group)}`;
      return [route(port, name, group), ...authorizations(port, name, { kind: 'HTTPRoute', name }, group.clients)];
    }),
    server(policy),
  ];
}

/**
 * Reports problems that keep a policy from being enforced.
 *
 * @param isLimited whether its requests are limited
 */
export function checkPortPolicy(policy: PortPolicy, isLimited: boolean): readonly Problem[] {
  const { port, grants } = policy;
  const protocol = protocolOf(policy);
  const isRouted = grants.some(({ requests, probePaths }) => requests.length > 0 || probePaths.length > 0);
  const names = requestGroups(policy).map(groupName);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return [
    ...checkTies(`Server ${port.namespace}/${port.name}`, requestGroups(policy)),
    ...(isRouted && WITHOUT_HTTP.includes(protocol)
      ? [POLICY_FINDINGS.policyWithoutHttpRoutes({ server: serverOf(port), protocol: `${protocol}` })]
      : []),
    ...(isLimited && (protocol === 'opaque' || protocol === 'TLS')
      ? [POLICY_FINDINGS.policyWithoutHttpLimits({ server: serverOf(port), protocol })]
      : []),
    ...(twice === undefined
      ? []
      : [POLICY_FINDINGS.policyNameTakenRoute({ server: serverOf(port), route: `${port.name}-${twice}` })]),
  ];
}

/** Returns no groups if all clients may make all requests: Linkerd then allows probes without a route. */
function requestGroups(policy: PortPolicy): readonly RequestGroup[] {
  const { port, grants } = policy;
  const requests = [...grants.flatMap((grant) => grant.requests), ...audited(policy)];
  const extra = grants.flatMap(({ probePaths }) => probePaths);
  if (requests.length === 0 && extra.length === 0) return [];
  const declared = port.pods.flatMap((pods) => {
    const numbers = numbersOf(port.port, pods);
    return pods.probes.flatMap((probe) =>
      probe.kind === 'HTTP' && probe.port !== undefined && numbers.includes(probe.port) ? [probe.path] : [],
    );
  });
  // Linkerd adds no routes for probes to a Server that has routes (linkerd2#7050).
  const probes = [...new Set([...declared, ...extra])].map(
    (path): GrantedRequests => ({ requests: { method: 'GET', path }, clients: kubelets(policy) }),
  );
  return groupRequests([...requests, ...probes]);
}

/**
 * For an audited port, returns a grant of all requests to the clients that may make every request. The proxy uses the
 * first authorization that matches, and those of a route precede those of the Server (linkerd2-proxy,
 * linkerd/proxy/server-policy/src/authz.rs). The Server's include the authorization of the audit, in no defined order
 * (linkerd2, policy-controller/grpc/src/inbound.rs): without a route, allowed clients would randomly count as audited.
 */
function audited(policy: PortPolicy): readonly GrantedRequests[] {
  const clients = wholeClients(policy);
  // With a route, probes of unknown pods would count as audited.
  const isRouted = policy.port.pods.length > 0 && !WITHOUT_HTTP.includes(protocolOf(policy));
  return policy.accessPolicy === 'audit' && isRouted && !isNobody(clients) ? [{ requests: {}, clients }] : [];
}

function wholeClients({ grants }: PortPolicy): ClientSet {
  return union(grants.map(({ clients }) => clients));
}

function protocolOf({ port, protocol }: PortPolicy): PortProtocol | undefined {
  // A Server overrides the pods' opaque ports.
  return protocol ?? (port.isOpaque ? 'opaque' : undefined);
}

function server(policy: PortPolicy): KubernetesObject {
  const { port, accessPolicy, serverVersion } = policy;
  const proxyProtocol = protocolOf(policy);
  return {
    apiVersion: serverVersion,
    kind: 'Server',
    metadata: { name: port.name, namespace: port.namespace },
    spec: {
      podSelector: port.selector,
      port: port.port,
      ...(proxyProtocol === undefined ? {} : { proxyProtocol }),
      ...(accessPolicy === undefined ? {} : { accessPolicy }),
    },
  };
}

function route({ namespace, name: server }: GuardedPort, name: string, { matches }: RequestGroup): KubernetesObject {
  return {
    apiVersion: 'policy.linkerd.io/v1beta3',
    kind: 'HTTPRoute',
    metadata: { name, namespace },
    spec: {
      parentRefs: [{ group: POLICY_GROUP, kind: 'Server', name: server }],
      rules: inChunks(matches).map((some) => ({
        matches: some.map(({ method, path, isPrefix }) => ({
          path: { type: isPrefix ? 'PathPrefix' : 'Exact', value: path },
          ...(method === undefined ? {} : { method }),
        })),
      })),
    },
  } satisfies HTTPRouteV1Beta3;
}

/** Maximum number of matches of a rule, by the CRD. */
const MAX_MATCHES = 8;

function inChunks<T>(items: readonly T[]): readonly (readonly T[])[] {
  const starts = Array.from({ length: Math.ceil(items.length / MAX_MATCHES) }, (_, index) => index * MAX_MATCHES);
  return starts.map((start) => items.slice(start, start + MAX_MATCHES));
}

/** Renders one policy for identities and one for networks: a policy requires all its authentications. */
function authorizations(
  { namespace }: GuardedPort,
  name: string,
  target: { readonly kind: 'Server' | 'HTTPRoute'; readonly name: string },
  { identities, networks }: ClientSet,
): readonly KubernetesObject[] {
  const policyFor = (own: string, kind: string) =>
    ({
      apiVersion: VERSION,
      kind: 'AuthorizationPolicy',
      metadata: { name: own, namespace },
      spec: {
        targetRef: { group: POLICY_GROUP, ...target },
        requiredAuthenticationRefs: [{ group: POLICY_GROUP, kind, name: own }],
      },
    }) satisfies AuthorizationPolicy;
  const ofNetworks = `${name}-networks`;
  const ofTexts = `${name}-identities`;
  return [
    ...meshTls(namespace, name, { identityRefs: identities.flatMap(refOf) }, policyFor),
    ...meshTls(namespace, ofTexts, { identities: identities.flatMap(textOf) }, policyFor),
    ...(networks.length === 0
      ? []
      : [networkAuthentication(namespace, ofNetworks, networks), policyFor(ofNetworks, 'NetworkAuthentication')]),
  ];
}

/** Renders either references or names: the API server refuses an object with both. */
function meshTls(
  namespace: string,
  name: string,
  spec: MeshTLSAuthentication['spec'],
  policyFor: (name: string, kind: string) => KubernetesObject,
): readonly KubernetesObject[] {
  if (Object.values(spec).every((list) => list.length === 0)) return [];
  const authentication = {
    apiVersion: VERSION,
    kind: 'MeshTLSAuthentication',
    metadata: { name, namespace },
    spec,
  } satisfies MeshTLSAuthentication;
  return [authentication, policyFor(name, 'MeshTLSAuthentication')];
}

/** Linkerd builds identities from references with its own trust domain and namespace. */
function refOf(identity: ClientIdentity) {
  if (identity.kind === 'account') {
    return [{ kind: 'ServiceAccount', namespace: identity.namespace, name: identity.name }];
  }
  return identity.kind === 'namespace' ? [{ kind: 'Namespace', name: identity.name }] : [];
}

function textOf(identity: ClientIdentity): readonly string[] {
  return identity.kind === 'text' ? [identity.text] : [];
}

function networkAuthentication(namespace: string, name: string, networks: readonly ClientNetwork[]): KubernetesObject {
  return {
    apiVersion: VERSION,
    kind: 'NetworkAuthentication',
    metadata: { name, namespace },
    spec: { networks: networks.map(({ cidr, except }) => (except.length === 0 ? { cidr } : { cidr, except })) },
  } satisfies NetworkAuthentication;
}

/** Derives the name from the first request, so that changes of other requests do not rename the route. */
function groupName({ matches: [first], clients }: RequestGroup): string {
  if (first === undefined || isNobody(clients)) return 'others';
  const path = first.path === '/' ? 'root' : first.path.slice(1).replace(/\/$/, '-slash');
  const words = `${first.method ?? ''} ${path}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const name = words.replace(/^-|-$/g, '').slice(0, MAX_CHARACTERS);
  if (first.isPrefix) return `${name}-all`;
  return OF_AUTHENTICATIONS.test(name) ? `${name}-path` : name;
}

/** Suffixes of names that the authentications of another route, or of the Server, use. */
const OF_AUTHENTICATIONS = /(?:^|-)(?:identities|networks)$/;

/** Leaves room for the name of the Server, within the 253 characters of a name. */
const MAX_CHARACTERS = 80;

function serverOf({ namespace, name }: GuardedPort): string {
  return `${namespace}/${name}`;
}
