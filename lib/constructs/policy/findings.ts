import { catalogue } from '../../../operator/api/kubernetes/catalogue';

/** Findings about policies. */
export const POLICY_FINDINGS = catalogue({
  // Options.
  'policy-value-refused': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}`,
    why: ({ reason }: { reason: string }) => reason,
    fix: ({ allowed }: { allowed: string }) => `write ${allowed}`,
  },
  'policy-value-refused/mode': {
    severity: 'error',
    what: ({ mode }: { mode: string }) => `mode is ${mode}`,
    why: 'Connections that nothing allows would be handled by the default of the whole mesh, which usually allows every client',
    fix: ({ known }: { known: string }) => `write ${known}`,
  },
  'policy-value-refused/list': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}`,
    why: ({ field }: { field: string }) => `It could mean all ${field}, or none`,
    fix: ({ field, example }: { field: string; example: string }) =>
      `remove ${field} for all, or list those that you mean: ${example}`,
  },
  'policy-value-refused/clients': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, not a list`,
    why: 'Without a list of clients, the policy would allow no client',
    fix: 'write from: [web], or from: [] to allow no client',
  },
  'policy-unsupported/audit': {
    severity: 'error',
    what: ({ version }: { version: string }) => `mode is "audit", with ${version}`,
    why: 'Releases before 2.16 refuse connections, or allow them silently',
    fix: "look at the metrics of clients first (`request_total` by `client_id`), and then use mode 'deny'; or use a later release",
  },
  'policy-unsupported': {
    severity: 'error',
    what: ({ call, version, kind }: Record<'call' | 'version' | 'kind', string>) =>
      `${call} is called for ${version}, which has no ${kind}`,
    why: 'The API server would not know the kind, and the sync of the folder would fail',
    fix: 'remove the call, or use a later release of Linkerd',
  },
  'policy-too-late': {
    severity: 'error',
    what: ({ path }: { path: string }) => `A policy for ${path} was added after the policies were created`,
    why: 'Policies are created when the App is synthesized: this call has no effect',
    fix: 'call it before the App or its charts are synthesized',
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
    fix: 'name all hosts in one call, or give another name',
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
    what: ({ field, client }: { field: string; client: string }) => `${field} is ${client}`,
    why: 'Linkerd identifies clients by the service account of their pods, or by their address, and this has neither: no client would be allowed',
    fix: 'pass the workload that sends the requests, a ServiceAccount, a Namespace, or one of the functions of Clients',
  },
  'policy-elsewhere/client': {
    severity: 'error',
    what: ({ field, client, other, own }: Record<'field' | 'client' | 'other' | 'own', string>) =>
      `${field} is ${client} of cluster ${other}, but the policy is for cluster ${own}`,
    why: ({ own }: { own: string }) => `It would allow any client in ${own} that has the account of that name there`,
    fix: ({ identity }: { identity: string }) =>
      `name its identity, ${identity}; through a gateway, clients have its identity: Clients.serviceAccount({ namespace: 'linkerd-multicluster', name: 'linkerd-gateway' })`,
  },
  'policy-elsewhere/target': {
    severity: 'error',
    what: ({ own, path, other }: Record<'own' | 'path' | 'other', string>) =>
      `A policy for cluster ${own} has the target ${path}, which is in cluster ${other}`,
    why: ({ own }: { own: string }) =>
      `It would apply to pods with the same labels in ${own}, and the target would stay open`,
    fix: ({ other }: { other: string }) => `call it on a Meshing in cluster ${other}`,
  },
  'policy-target-refused/object': {
    severity: 'error',
    what: ({ field, path }: { field: string; path: string }) =>
      `${field} is the construct ${path}, which has no object`,
    why: 'It represents an object that is created elsewhere: synth knows neither its pods nor its service account',
    fix: 'for a client that is created elsewhere, use Clients.serviceAccount or Clients.namespace; for a target, use an object that is created here',
  },
  'policy-target-refused/pods': {
    severity: 'error',
    what: ({ target }: { target: string }) => `A policy has the target ${target}, which selects no pods`,
    why: 'Policies are enforced by the proxies of pods: no proxy would enforce this one',
    fix: 'call it for the Service in front of the pods, or for the workload that has them; for hosts outside the cluster (a Service of type ExternalName) call egress()',
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
      `ports has ${port}, but ${target} has ${known}`,
    why: 'A policy on a port that no pod has protects nothing',
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'policy-port-unknown/undeclared': {
    severity: 'error',
    what: ({ port, service, target, workloads }: Record<'port' | 'service' | 'target' | 'workloads', string>) =>
      `Port ${port} of ${service} targets port ${target}, which no container of ${workloads} declares`,
    why: 'Proxies look up the policies of declared ports when they start; a name that is not declared resolves to no port',
    fix: ({ declaration }: { declaration: string }) =>
      `declare it among the ports of the container (containerPort${declaration})`,
  },

  // Routes and limits.
  'policy-without-http/routes': {
    severity: 'error',
    what: ({ server, protocol }: { server: string; protocol: string }) =>
      `Server ${server} has protocol ${protocol}, but some of its clients are allowed only certain requests`,
    why: 'With this protocol the proxy parses no HTTP requests: the routes match nothing, and these clients are refused',
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
      `${field} allows some clients to make ${requests} for ${path} itself, and other clients for all paths below it`,
    why: 'To the proxy both routes match equally well, and the older one wins: which one that is, is random in a new cluster',
    fix: ({ path }: { path: string }) =>
      `allow both for the same clients, or give the requests different methods; a probe at ${path} can have another path`,
  },
});
