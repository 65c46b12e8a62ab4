import { catalogue } from '#base/findings/catalogue';
import { didYouMean } from '#base/suggest';

/** Findings about policies. */
export const POLICY_FINDINGS = catalogue({
  'default-deny-audits': {
    severity: 'warning',
    what: ({ namespace }: { namespace: string }) => `defaultDeny('${namespace}') has no mode, and refuses nothing`,
    why: "The default mode, 'audit', only reports connections that no policy allows, in the logs and metrics of proxies",
    fix: ({ namespace }: { namespace: string }) =>
      `write meshing.defaultDeny('${namespace}', { mode: 'audit' }), and { mode: 'deny' } once the reports are empty`,
  },

  // Options.
  'policy-value-refused/egress-mode': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, neither 'allow' nor 'deny'`,
    why: 'Traffic that leaves the cluster is either allowed or denied',
    fix: "write 'allow' or 'deny'",
  },
  'policy-value-refused/hosts': {
    severity: 'error',
    what: ({ field, value, most }: { field: string; value: string; most: number }) =>
      `${field} is ${value}, not a list of 1 to ${most} hosts`,
    why: ({ most }: { most: number }) => `The CRD of routes allows 1 to ${most} hosts`,
    fix: ({ most }: { most: number }) =>
      `list their names, such as ["api.example.com"]; with more than ${most}, use several entries`,
  },
  'policy-value-refused/host-protocol': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, neither 'TLS' nor 'HTTP'`,
    why: 'Routes match hosts only in TLS and HTTP',
    fix: "write 'TLS' or 'HTTP'",
  },
  'policy-value-refused/requests-in-tls': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, but the protocol is TLS`,
    why: 'The proxy cannot read requests inside TLS',
    fix: "write protocol: 'HTTP', or remove requests",
  },
  'policy-value-refused/hosts-repeated': {
    severity: 'error',
    what: ({ field, name }: { field: string; name: string }) =>
      `Two entries of ${field} have the same first host: both routes would be called ${name}`,
    why: 'One of the two routes would replace the other',
    fix: 'list the hosts of both entries in one',
  },
  'policy-value-refused/requests': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, not a method with a path or a pathPrefix`,
    why: 'Routes match requests by method and path',
    fix: 'write { method, path } or { method, pathPrefix }',
  },
  'policy-value-refused/method': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, which is not a method of HTTP`,
    why: 'Routes match only the methods of HTTP',
    fix: ({ methods }: { methods: string }) => `write one of ${methods}`,
  },
  'policy-value-refused/path-twice': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, with both a path and a pathPrefix`,
    why: 'A route matches either a whole path or the start of a path, not both',
    fix: 'keep one of path and pathPrefix',
  },
  'policy-value-refused/path': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, which does not begin with a slash`,
    why: 'Paths of requests begin with a slash: no request would match',
    fix: 'write it with a slash at the start, such as "/items"',
  },
  'policy-value-refused/path-query': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, which has a query or a fragment`,
    why: 'Routes match the path of a request without its query: no request would match',
    fix: ({ proposed }: { proposed: string }) => `write "${proposed}"`,
  },
  'policy-value-refused/path-long': {
    severity: 'error',
    what: ({ field, length }: { field: string; length: number }) => `${field} has ${length} characters`,
    why: ({ most }: { most: number }) => `The API server refuses paths of more than ${most} characters`,
    fix: ({ most }: { most: number }) => `shorten it to ${most} characters or less`,
  },
  'policy-value-refused/no-limit': {
    severity: 'error',
    what: 'The rate limit has neither total nor perClient',
    why: 'It would limit no requests',
    fix: 'set total or perClient',
  },
  'policy-value-refused/rate': {
    severity: 'error',
    what: ({ field, value, most }: { field: string; value: string; most: number }) =>
      `${field} is ${value}, not a whole number from 1 to ${most}`,
    why: 'A limit is a number of requests per second',
    fix: ({ most }: { most: number }) => `write a whole number from 1 to ${most}`,
  },
  'policy-value-refused/rate-above-total': {
    severity: 'error',
    what: ({ field, value, total }: { field: string; value: string; total: number }) =>
      `${field} is ${value}, more than total, which is ${total}`,
    why: 'One client would have more than all clients together',
    fix: ({ total }: { total: number }) => `write ${total} or less`,
  },
  'policy-value-refused/limited-clients': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, not a list of workloads or ServiceAccounts`,
    why: 'Linkerd supports separate limits only for clients with a service account',
    fix: 'name workloads or ServiceAccounts',
  },
  'policy-value-refused/mode': {
    severity: 'error',
    what: ({ mode, known }: { mode: string; known: string }) => `mode is ${mode}, not one of ${known}`,
    why: 'Linkerd would refuse the Server; on a namespace, it would ignore the mode and apply the default of the mesh, which usually allows every client',
    fix: ({ known }: { known: string }) => `write ${known}`,
  },
  'policy-value-refused/workloads': {
    severity: 'error',
    what: ({ field, value }: Record<'field' | 'value', string>) => `${field} is ${value}, which selects no pods`,
    why: 'The policy would apply to other pods than intended, or to none',
    fix: ({ example }: { example: string }) => `write ${example}, with your names`,
  },
  'policy-value-refused/list': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, not a list with at least one entry`,
    why: ({ field }: { field: string }) => `This could mean all ${field}, or none`,
    fix: ({ field, example }: { field: string; example: string }) =>
      `remove ${field} to include all, or list them: ${example}`,
  },
  'policy-value-refused/clients': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, not a list`,
    why: 'Without a list of clients, the policy would allow no client',
    fix: ({ field }: { field: string }) => `make ${field} a list, such as [web]; an empty list allows no client`,
  },
  'policy-unsupported/audit': {
    severity: 'error',
    what: ({ version }: { version: string }) => `mode is "audit", which ${version} does not support`,
    why: 'Releases before 2.16 refuse connections, or allow them silently',
    fix: "check the metrics of clients first (`request_total` by `client_id`), and then use mode 'deny'; or use a later release",
  },
  'policy-unsupported': {
    severity: 'error',
    what: ({ call, version, kind }: Record<'call' | 'version' | 'kind', string>) =>
      `${call} is called for ${version}, which has no ${kind}`,
    why: 'The API server does not have this kind, and the sync of the folder would fail',
    fix: 'remove the call, or use a later release of Linkerd',
  },
  'policy-too-late': {
    severity: 'error',
    what: ({ path }: { path: string }) => `A policy for ${path} was added after the policies were created`,
    why: 'Policies are created when the App is synthesized: this call has no effect',
    fix: 'add the policy before the App or its charts are synthesized',
  },
  'policy-contested': {
    severity: 'error',
    what: ({ server, field, values }: Record<'server' | 'field' | 'values', string>) =>
      `Server ${server} would get ${field} ${values}`,
    why: 'Linkerd uses one Server for each port of a pod, so all calls for this port share it',
    fix: ({ field }: { field: string }) => `set ${field} in one call, or to the same value in each call`,
  },
  'policy-name-taken': {
    severity: 'error',
    what: ({ object }: { object: string }) => `Two policies would be called ${object}, for different pods`,
    why: 'Names are derived from the target and its port, and one policy would replace the other',
    fix: 'use targets with different names, or targets that select the same pods',
  },
  'policy-name-taken/egress': {
    severity: 'error',
    what: ({ namespace, name }: { namespace: string; name: string }) =>
      `egress() is called twice for ${namespace} with the name ${name}`,
    why: 'An EgressNetwork has one policy for all hosts that are not named',
    fix: 'name all hosts in one call, or use another name',
  },
  'policy-name-taken/route': {
    severity: 'error',
    what: ({ server, route }: { server: string; route: string }) =>
      `Two routes of Server ${server} would both be called ${route}`,
    why: 'Names are derived from the letters and digits of paths, and one of the routes would replace the other',
    fix: 'allow paths that differ in letters or digits, or a common pathPrefix',
  },

  // Clients.
  'policy-client-unknown': {
    severity: 'error',
    what: ({ field, client }: { field: string; client: string }) =>
      `${field} is ${client}, which does not identify a client`,
    why: 'Linkerd identifies clients by the service account of their pods, or by their address: no client would be allowed',
    fix: 'pass the workload that sends the requests, a ServiceAccount, a Namespace, or one of the functions of Clients',
  },
  'policy-elsewhere/client': {
    severity: 'error',
    what: ({ field, client, other, own }: Record<'field' | 'client' | 'other' | 'own', string>) =>
      `${field} is ${client} of cluster ${other}, but the policy is for cluster ${own}`,
    why: ({ own }: { own: string }) => `It would allow any client in ${own} that has a ServiceAccount of that name`,
    fix: ({ identity }: { identity: string }) =>
      `pass the identity of the client: ${identity}; clients that come through a gateway have its identity: Clients.serviceAccount({ namespace: 'linkerd-multicluster', name: 'linkerd-gateway' })`,
  },
  'policy-elsewhere/target': {
    severity: 'error',
    what: ({ own, path, other }: Record<'own' | 'path' | 'other', string>) =>
      `A policy for cluster ${own} has the target ${path}, which is in cluster ${other}`,
    why: ({ own }: { own: string }) =>
      `It would apply to pods with the same labels in ${own}, and the target would stay unprotected`,
    fix: ({ other }: { other: string }) => `create the policy with a Meshing of cluster ${other}`,
  },
  'policy-target-refused/object': {
    severity: 'error',
    what: ({ field, path }: { field: string; path: string }) =>
      `${field} is the construct ${path}, which has no object`,
    why: 'It refers to an object that another tool creates: synth knows neither its pods nor its service account',
    fix: 'for a client that another tool creates, use Clients.serviceAccount or Clients.namespace; for a target, use Workloads',
  },
  'policy-target-refused/pods': {
    severity: 'error',
    what: ({ target }: { target: string }) => `A policy has the target ${target}, which selects no pods`,
    why: 'Policies are enforced by the proxies of pods: no proxy would enforce this one',
    fix: 'pass the Service in front of the pods, or their workload, as the target; for hosts outside the cluster (a Service of type ExternalName) call egress()',
  },
  'policy-target-refused/reference': {
    severity: 'error',
    what: ({ value }: { value: string }) => `The target of a policy is ${value}, not a construct`,
    why: 'Its pods and ports are unknown',
    fix: ({ namespace, name }: Record<'namespace' | 'name', string>) =>
      `pass the construct of the workload or of the Service; for pods that another tool creates, Workloads.select({ namespace: '${namespace}', labels: { app: '${name}' }, ports: [8080] }) with their labels and ports`,
  },
  'policy-target-refused/ports': {
    severity: 'error',
    what: ({ target }: { target: string }) => `A policy has the target ${target}, which has no TCP port`,
    why: 'A policy applies to ports: this one would apply to none',
    fix: 'declare the ports of its containers, or of the Service',
  },
  'policy-port-unknown': {
    severity: 'error',
    what: ({ port, target, known }: Record<'port' | 'target' | 'known', string>) =>
      `ports contains ${port}, but the ports of ${target} are ${known}`,
    why: 'No pod has this port, so the policy would have no effect',
    fix: ({ similar }: { similar?: string | undefined }) =>
      `name one of its ports, by name or number${didYouMean(similar)}`,
  },
  'policy-port-unknown/none': {
    severity: 'error',
    what: ({ port, target }: { port: string; target: string }) => `ports contains ${port}, but ${target} has no port`,
    why: 'No pod has this port, so the policy would have no effect',
    fix: 'declare the port in the containers of the pods, or in the Service',
  },
  'policy-port-unknown/undeclared': {
    severity: 'error',
    what: ({ port, service, target, workloads }: Record<'port' | 'service' | 'target' | 'workloads', string>) =>
      `Port ${port} of ${service} targets port ${target}, which no container of ${workloads} declares`,
    why: 'Proxies look up the policies of declared ports when they start, and an undeclared name resolves to no port',
    fix: 'declare it among the ports of the container, with its name or number',
  },

  // Routes and limits.
  'policy-without-http/routes': {
    severity: 'error',
    what: ({ server, protocol }: { server: string; protocol: string }) =>
      `Server ${server} has protocol ${protocol}, but some of its clients are allowed only certain requests`,
    why: 'With this protocol the proxy parses no HTTP requests: no route matches, and these clients are refused',
    fix: "allow them the whole port, or set protocol to 'HTTP/1', 'HTTP/2' or 'unknown'",
  },
  'policy-without-http/limits': {
    severity: 'error',
    what: ({ server, protocol }: { server: string; protocol: string }) =>
      `Server ${server} has protocol ${protocol}, but its requests are limited`,
    why: 'With this protocol the proxy parses no requests that it could count',
    fix: 'limit only HTTP ports: list them in ports',
  },
  'routes-tied': {
    severity: 'error',
    what: ({ field, requests, path }: Record<'field' | 'requests' | 'path', string>) =>
      `${field} allows ${requests} for exactly ${path} from some clients, and for all paths below it from others`,
    why: 'Both routes match equally well, and the proxy uses the older one: in a new cluster, either route can be older',
    fix: ({ path }: { path: string }) =>
      `allow both for the same clients, or use different methods for them; if ${path} is the path of a probe, choose another path for the probe`,
  },
});
