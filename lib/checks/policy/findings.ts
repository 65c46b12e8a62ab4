import { catalogue } from '#base/findings/catalogue';
import { didYouMean } from '#base/suggest';

/** A probe, or a hook, that a policy refuses. */
export interface DeniedProbe {
  readonly policy: string;
  readonly field: string;
  readonly object: string;
  /** Its kind, port and path. */
  readonly probe: string;
  readonly of: 'probe' | 'hook';
}

const isDenied = ({ policy, field, object, probe }: Omit<DeniedProbe, 'of'>) =>
  `${policy} refuses ${field} of ${object} (${probe})`;

const HOOK_FAILS = 'the hook would fail, and a container whose postStart fails is killed';

const consequenceFor = (of: DeniedProbe['of']) =>
  of === 'hook' ? HOOK_FAILS : 'its pods would never become ready, or be restarted repeatedly';

const isUnseen = ({ route, server, protocol }: Record<'route' | 'server' | 'protocol', string>) =>
  `${route} is attached to ${server}, whose proxyProtocol is ${protocol}`;

const PROTECTS_NOTHING = 'It protects nothing, and the default policy of the pods applies';

const takesPrecedence = (policy: string, annotation: string) =>
  `${policy} takes precedence over ${annotation}: the port is open to clients outside of the mesh`;

/** A policy, and an object whose pods do not enforce it. */
export interface UnenforcedPolicy {
  readonly policy: string;
  readonly object: string;
  /** What the policy is for: clients of the pods, or their own connections to hosts outside of the cluster. */
  readonly of: 'clients' | 'connections';
}

type Unenforced = Pick<UnenforcedPolicy, 'policy' | 'object'>;

const notEnforced = (policy: string, object: string) => `${policy} is not enforced for ${object}`;

const UNSEEN_CONNECTIONS =
  'Only the proxy of a pod enforces policies: connections to hosts outside of the cluster are neither refused nor counted';

const consequenceOf = ({ of }: Pick<UnenforcedPolicy, 'of'>) =>
  of === 'connections'
    ? UNSEEN_CONNECTIONS
    : 'Only the proxy of a pod enforces policies: any client reaches the port, in the mesh or not';

const OR_ELSE = '; or remove the policy; or acknowledge the finding';

/** Findings about policies and their pods. */
export const LINKERD_POLICY_FINDINGS = catalogue({
  'policy-not-enforced/host-network': {
    severity: 'error',
    what: ({ policy, object }: Unenforced) => notEnforced(policy, `${object}, which has hostNetwork: true`),
    why: consequenceOf,
    fix: `remove hostNetwork, with which Linkerd injects no proxy${OR_ELSE}`,
  },
  'policy-not-enforced/never-injected': {
    severity: 'error',
    what: ({ policy, object, namespace }: Unenforced & { namespace: string }) =>
      notEnforced(policy, `${object}, which is in the namespace ${namespace}, where the injector is not called`),
    why: consequenceOf,
    fix: `move it to another namespace${OR_ELSE}`,
  },
  'policy-not-enforced/injection': {
    severity: 'error',
    what: ({ policy, object, annotation, value }: Unenforced & { annotation: string; value: string }) =>
      notEnforced(policy, `${object}, which has ${annotation}: ${value}`),
    why: consequenceOf,
    fix: ({ annotation }: { annotation: string }) => `write ${annotation}: enabled (meshing.inject)${OR_ELSE}`,
  },
  'policy-not-enforced/not-meshed': {
    severity: 'error',
    ofAbsence: 'injection',
    what: ({ policy, object, namespace }: Unenforced & { namespace: string }) =>
      notEnforced(policy, `${object}, which is in the namespace ${namespace}, which is not meshed`),
    why: consequenceOf,
    fix: ({ namespace }: { namespace: string }) =>
      `annotate the pods, or the namespace ${namespace}, with linkerd.io/inject: enabled (meshing.inject, meshing.namespace)${OR_ELSE}`,
  },
  'policy-not-enforced/inbound-port': {
    severity: 'error',
    what: ({ policy, object, port }: Unenforced & { port: number }) =>
      notEnforced(policy, `${object}: its proxy accepts all redirected connections at port ${port}`),
    why: 'A proxy applies the policy for the port that the client wants to reach, not for the port that receives redirected connections: the policy protects nothing',
    fix: `name the port that the application listens on${OR_ELSE}`,
  },
  'policy-not-enforced/control-port': {
    severity: 'error',
    what: ({ policy, object, port }: Unenforced & { port: number }) =>
      notEnforced(policy, `${object}: its proxy is tapped at port ${port}`),
    why: 'At this port, the proxy itself answers Tap of Linkerd Viz, which it recognizes by its identity, and applies no policy: the policy protects nothing',
    fix: `name the port that the application listens on${OR_ELSE}`,
  },
  'policy-not-enforced/port-skipped': {
    severity: 'error',
    what: ({ policy, object, port, setting }: Unenforced & { port: number; setting: string }) =>
      notEnforced(policy, `${object}: port ${port} bypasses its proxy, by ${setting}`),
    why: consequenceOf,
    fix: ({ port, setting }: { port: number; setting: string }) => `remove ${port} from ${setting}${OR_ELSE}`,
  },
  'policy-not-enforced/subnet-skipped': {
    severity: 'error',
    what: ({ policy, object, subnet, setting }: Unenforced & { subnet: string; setting: string }) =>
      notEnforced(policy, `${object}: clients from ${subnet} bypass its proxy, by ${setting}`),
    why: consequenceOf,
    fix: ({ subnet, setting }: { subnet: string; setting: string }) =>
      `remove ${subnet} from ${setting}, or add it to nodeNetworks of LinkerdMesh if only nodes have these addresses${OR_ELSE}`,
  },
  'policy-not-enforced/connections-skipped': {
    severity: 'error',
    what: ({ policy, object, port, setting }: Unenforced & { port: number; setting: string }) =>
      notEnforced(policy, `${object}: its connections to port ${port} bypass its proxy, by ${setting}`),
    why: UNSEEN_CONNECTIONS,
    fix: ({ port, setting }: { port: number; setting: string }) => `remove ${port} from ${setting}${OR_ELSE}`,
  },
  'policy-not-enforced/own-default': {
    severity: 'error',
    what: ({ policy, object, annotation, value }: Unenforced & { annotation: string; value: string }) =>
      notEnforced(policy, `${object}, whose own ${annotation} is ${value}`),
    why: 'The annotation of pods overrides that of their namespace: clients without an identity reach ports without a Server',
    fix: ({ ofNamespace }: { ofNamespace: string }) =>
      `remove the annotation (defaultInboundPolicy of meshing.inject), or write ${ofNamespace}${OR_ELSE}`,
  },
  'policy-without-pods/namespace': {
    severity: 'warning',
    ofAbsence: 'object',
    what: ({ namespace, setting }: { namespace: string; setting: string }) =>
      `The namespace ${namespace} has the policy ${setting}, but no pods in the output, and is not meshed`,
    why: 'If you meant another namespace, the policy does not protect it',
    fix: ({ namespace, similar }: { namespace: string; similar?: string | undefined }) =>
      `correct the name${didYouMean(similar)}; or, if its pods are created elsewhere, annotate the namespace with linkerd.io/inject: enabled (meshing.namespace('${namespace}'))`,
  },
  'policy-without-pods/server': {
    severity: 'warning',
    ofAbsence: 'object',
    what: ({ server, namespace }: { server: string; namespace: string }) =>
      `${server} selects no pod of ${namespace} in this output`,
    why: PROTECTS_NOTHING,
    fix: 'compare podSelector with the labels of the pods; if a chart creates the pods, acknowledge the warning',
  },
  'policy-without-pods/server-similar': {
    severity: 'warning',
    what: ({ server, namespace, label, value }: Record<'server' | 'namespace' | 'label' | 'value', string>) =>
      `${server} selects pods of ${namespace} with the label ${label}: ${value}, which no pod has`,
    why: PROTECTS_NOTHING,
    fix: ({ similar, object }: Record<'similar' | 'object', string>) =>
      `correct the value${didYouMean(similar)}, which ${object} has; if its pods are created elsewhere, acknowledge the warning`,
  },
  'policy-without-pods/server-port': {
    severity: 'warning',
    ofAbsence: 'object',
    what: ({ server, port }: { server: string; port: string }) =>
      `${server} selects pods, but no pod has a port named ${port}`,
    why: PROTECTS_NOTHING,
    fix: ({ ports }: { ports: string }) => `name one of their ports: ${ports}`,
  },
  'policy-reference-missing': {
    severity: 'warning',
    ofAbsence: 'object',
    what: ({ object, field, target }: Record<'object' | 'field' | 'target', string>) =>
      `${object}: ${field} names ${target}, which is not part of this output`,
    why: 'A policy whose target is missing applies to nothing, and one whose authentication is missing authorizes no client',
    fix: 'correct the name, or add that object; if it is created elsewhere, acknowledge the warning',
  },
  'client-not-meshed': {
    severity: 'error',
    ofAbsence: 'injection',
    what: ({ policy, account, pods }: Record<'policy' | 'account' | 'pods', string>) =>
      `${policy} authorizes the service account ${account}, whose pods (${pods}) are not meshed`,
    why: 'Only a proxy proves the identity of its pod: connections from these pods have no identity, and are refused',
    fix: 'annotate the pods with linkerd.io/inject: enabled (meshing.inject, meshing.namespace), or authorize their networks',
  },
  'service-account-shared': {
    severity: 'warning',
    what: ({ policy, account, pods }: Record<'policy' | 'account' | 'pods', string>) =>
      `${policy} authorizes the service account ${account}, which ${pods} share`,
    why: 'A mesh identity belongs to a service account: every pod that uses it is authorized',
    fix: 'give the client a ServiceAccount of its own, or acknowledge the warning',
  },
  'audit-inaccurate': {
    severity: 'warning',
    what: ({ server }: { server: string }) => `The audit of ${server} may list clients that are authorized`,
    why: 'Proxies take the first authorization that matches, in an order that changes with each update. If the audit matches first, it also lists clients that an accessPolicy of deny would admit',
    fix: ({ query }: { query: string }) =>
      `to list only the clients that would be refused, use ${query}; then acknowledge the warning`,
  },
  'required-identity-overridden/default': {
    severity: 'error',
    what: ({ mode, port, object }: { mode: string; port: number; object: string }) =>
      `The default policy ${mode} lets clients without an identity reach port ${port} of ${object}, which requires one`,
    why: ({ annotation }: { annotation: string }) => takesPrecedence('The default policy audit', annotation),
    fix: ({ port }: { port: number }) =>
      `write all-authenticated as the default policy (mode of meshing.defaultDeny), or remove ${port} from the annotation`,
  },
  'required-identity-overridden/server': {
    severity: 'error',
    what: ({ server, mode, port, object }: { server: string; mode: string; port: number; object: string }) =>
      `${server}, with accessPolicy: ${mode}, lets clients without an identity reach port ${port} of ${object}, which requires one`,
    why: ({ annotation }: { annotation: string }) => takesPrecedence('A Server', annotation),
    fix: ({ port }: { port: number }) =>
      `set accessPolicy: all-authenticated (mode: 'deny' of meshing.allow), or remove ${port} from the annotation`,
  },
  'workload-unreachable': {
    severity: 'warning',
    what: ({ object, ports }: { object: string; ports: string }) =>
      `The default policy of ${object} is deny, and no Server selects any of these ports: ${ports}`,
    why: 'Only kubelets can reach them',
    fix: 'add a Server for each port, and an AuthorizationPolicy for its clients (meshing.allow does both); if a port has no clients, acknowledge the warning',
  },
  'scraper-denied': {
    severity: 'warning',
    what: ({ object, place, namespace }: Record<'object' | 'place' | 'namespace', string>) =>
      `${object} makes Prometheus scrape ${place}, where the policies of ${namespace} authorize no scraper`,
    why: 'The requests of Prometheus are refused with 403: dashboards stay empty, and alerts do not fire',
    fix: ({ namespace }: { namespace: string }) =>
      `authorize its ServiceAccount at that port (for proxies meshing.defaultDeny('${namespace}', { scrapers: [prometheus] }), for ports of the pods meshing.allow); or acknowledge the warning`,
  },
  'ingress-denied': {
    severity: 'warning',
    what: ({ object, service, place }: Record<'object' | 'service' | 'place', string>) =>
      `${object} routes to ${service}, but ${place} authorizes no client from another namespace`,
    why: 'Ingress controllers usually run in a namespace of their own: their requests are refused with 403',
    fix: 'authorize the controller (meshing.allow): its ServiceAccount if it is meshed, otherwise its networks; or acknowledge the warning',
  },
  'webhook-denied': {
    severity: 'error',
    what: ({ object, service, place }: Record<'object' | 'service' | 'place', string>) =>
      `API servers call ${service} for ${object}, but ${place} authorizes no client without an identity`,
    why: 'API servers are not in the mesh: the proxy closes each of their connections, and requests that need the webhook or API fail, or bypass it',
    fix: 'authorize the networks of the API servers at that port with a NetworkAuthentication (meshing.allow with Clients.networks)',
  },
  'servers-overlap': {
    severity: 'error',
    what: ({ one, other, place }: Record<'one' | 'other' | 'place', string>) =>
      `${one} and ${other} both select ${place}`,
    why: 'Only one of them takes effect: the older one, or the first by name if both were created in the same second. Linkerd 2.14 refuses the other',
    fix: 'select each port of a pod with one Server only, and have all authorizations target it',
  },
  'control-plane-guarded': {
    severity: 'error',
    what: ({ server, object }: { server: string; object: string }) =>
      `${server} selects ${object}, a part of the control plane`,
    why: 'Proxies connect to it before they have an identity, and API servers and kubelets never have one: no authorization can match these clients, and pods would not start',
    fix: "remove the Server, or set accessPolicy: 'audit' to see which clients connect",
  },
  'route-protocol-mismatch/http': {
    severity: 'error',
    what: isUnseen,
    why: 'Proxies evaluate HTTPRoutes only if they parse HTTP requests: the route matches no requests, and its clients are refused',
    fix: 'set proxyProtocol: HTTP/1, HTTP/2 or unknown; or remove the route, and authorize its clients for the Server',
  },
  'route-protocol-mismatch/grpc': {
    severity: 'error',
    what: isUnseen,
    why: 'Proxies evaluate GRPCRoutes only if the protocol is gRPC: the route matches no requests, and its clients are refused',
    fix: 'set proxyProtocol: gRPC, or write an HTTPRoute',
  },
  'opaque-port-overridden': {
    severity: 'warning',
    what: ({ server, port, object }: { server: string; port: number; object: string }) =>
      `${server} enables protocol detection on port ${port}, which is opaque for ${object}`,
    why: 'A Server takes precedence over the opaque ports of pods and of the mesh: where the server speaks first, as MySQL does, each connection waits for ten seconds',
    fix: 'set proxyProtocol: opaque',
  },
  'routes-partial': {
    severity: 'warning',
    what: ({ server, routes }: { server: string; routes: string }) =>
      `${server} authorizes clients for all requests, but its routes (${routes}) match only some of them`,
    why: 'Once a Server has a route, requests that match none are answered with 404, from every client',
    fix: 'add an HTTPRoute for the path prefix / to the Server, or have the authorizations target the routes',
  },
  'probe-denied/protocol': {
    severity: 'error',
    what: isDenied,
    why: ({ of, protocol }: { of: DeniedProbe['of']; protocol: string }) =>
      `Kubelets probe by HTTP/1, and the proxy accepts only ${protocol} at this port: ${consequenceFor(of)}`,
    fix: 'remove proxyProtocol, or probe another port',
  },
  'probe-denied/unrecognized': {
    severity: 'error',
    what: isDenied,
    why: ({ of }: { of: DeniedProbe['of'] }) =>
      `The proxy cannot recognize the requests of probes at this port, and kubelets have no identity: ${consequenceFor(of)}`,
    fix: 'probe another port by HTTP, or use exec or tcpSocket, which policies do not affect',
  },
  'probe-denied/grpc': {
    severity: 'error',
    what: isDenied,
    why: ({ of }: { of: DeniedProbe['of'] }) =>
      `Linkerd authorizes HTTP probes by default, but not gRPC probes, and kubelets have no identity: ${consequenceFor(of)}`,
    fix: ({ path }: { path: string }) =>
      `allow POST requests for ${path} on that port from all clients, or probe another port by HTTP, or use exec or tcpSocket, which policies do not affect`,
  },
  'probe-denied/networks': {
    severity: 'error',
    what: isDenied,
    why: ({ of }: { of: DeniedProbe['of'] }) =>
      `Linkerd lets probes in only from the networks of policyController.probeNetworks, which is empty: ${consequenceFor(of)}`,
    fix: 'set nodeNetworks of LinkerdControlPlane to the networks from which kubelets probe',
  },
  'probe-denied/slash': {
    severity: 'error',
    what: isDenied,
    why: ({ of }: { of: DeniedProbe['of'] }) =>
      `Kubelets add the missing slash, and Linkerd reads no path without one, so it does not authorize this request: ${consequenceFor(of)}`,
    fix: ({ path }: { path: string }) => `write path: ${path}`,
  },
  'probe-denied/hook': {
    severity: 'error',
    what: isDenied,
    why: `Linkerd authorizes probes by default, but not hooks, and kubelets have no identity: ${HOOK_FAILS}`,
    fix: ({ path }: { path: string }) =>
      `attach an HTTPRoute for GET ${path} to the Server, and authorize all networks for it (probePaths of meshing.allow); or use exec`,
  },
  'probe-denied/route': {
    severity: 'error',
    what: isDenied,
    why: ({ of }: { of: DeniedProbe['of'] }) =>
      `Linkerd authorizes probes by default only while no route is attached to the Server, and none of its routes allows this request: ${consequenceFor(of)}`,
    fix: ({ path }: { path: string }) =>
      `attach an HTTPRoute for GET ${path} to the Server, and authorize all networks for it; meshing.allow does that`,
  },
  'probe-paths-open': {
    severity: 'warning',
    what: ({ probes }: { probes: string }) => `Any client may request ${probes}, whatever the policies say`,
    why: 'Linkerd authorizes probes by their path, from all networks: other workloads and pods without a proxy get the same answer',
    fix: 'set the value policyController.probeNetworks of the control plane to the networks from which kubelets probe (nodeNetworks of LinkerdMesh); or acknowledge the warning',
  },
  'probe-path-shared': {
    severity: 'warning',
    what: ({ server, path, object, owner }: Record<'server' | 'path' | 'object' | 'owner', string>) =>
      `${server} lets any client request ${path} of ${object}, because that is the path of a probe of ${owner}`,
    why: 'The routes of a Server apply to all pods that it selects: a path that is open for the probe of some pods is open on all of them',
    fix: 'write a Server for each of the workloads (meshing.allow for each, not for the Service in front of both); or set the value policyController.probeNetworks (nodeNetworks of LinkerdMesh); or acknowledge the warning',
  },
});
