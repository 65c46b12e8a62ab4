import { catalogue } from '#base/findings/catalogue';
import type { Named } from '#base/named';
import { shellWord } from '#base/shell-word';

const NOT_SCHEDULED = 'Pods that do not tolerate it are not scheduled';

function openNodes({ command }: Named<'command'>): string {
  return `run ${command}, and likewise for the other nodes`;
}

function permitEviction({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>): string {
  return `run ${kubectl} -n ${shellWord(namespace)} describe pdb/${shellWord(name)}: pods must become ready, or it must permit one more to be missing`;
}

const PROXY_RESOURCES =
  'config.linkerd.io/proxy-cpu-request, proxy-cpu-limit, proxy-memory-request and proxy-memory-limit';

function unspecified({ quota, resources }: Named<'quota' | 'resources'>): string {
  return `The ResourceQuota ${quota} refuses pods with containers that do not specify ${resources}`;
}

type ContainerPlace = Named<'kubectl' | 'namespace' | 'pod' | 'container'>;

function failingContainer({
  workload,
  container,
  reason,
  message,
}: Named<'workload' | 'container' | 'reason' | 'message'>): string {
  return `The container ${container} of ${workload} fails (${reason})${message === '' ? '' : `: ${message}`}`;
}

function readLogs({ kubectl, namespace, pod, container }: ContainerPlace): string {
  return `run ${kubectl} -n ${shellWord(namespace)} logs pod/${shellWord(pod)} -c ${shellWord(container)} --previous`;
}

const NOT_READY = 'Its pods do not become ready';

function missingKinds({ kinds }: Named<'kinds'>): string {
  return `The API server does not serve ${kinds}`;
}

/**
 * Findings of `cdk8s-linkerd doctor`, in addition to those of a status. `kubectl` is the command with the context of the cluster.
 */
export const DOCTOR_FINDINGS = catalogue({
  'mesh-missing/unread': {
    severity: 'error',
    what: 'The lists that could be read contain no Linkerd control plane',
    why: 'Nothing is known about the mesh',
    fix: 'permit list requests: docs/doctor.md links a ClusterRole',
  },
  'mesh-missing/absent': {
    severity: 'error',
    what: 'The cluster has no control plane of Linkerd',
    why: 'It has no Deployment of one, no namespace with its label and no trust roots',
    fix: 'check the context; with an output, look at the Application of the control plane in Argo CD',
  },
  'meshes-several': {
    severity: 'warning',
    what: ({ namespace, others }: Named<'namespace' | 'others'>) =>
      `The cluster has several control planes: this is about the one in ${namespace}, not about ${others}`,
    why: 'Nothing here says whether the other ones work, and webhooks of both inject the same pods',
    fix: 'remove what is left of the other ones, or examine each with an output of its own',
  },
  'clock-differs/ahead': {
    severity: 'warning',
    what: ({ minutes }: { readonly minutes: number }) =>
      `The clock of this machine is ${minutes} minutes ahead of that of the API server`,
    why: 'What is reported as expired, late or without a leader may not be, by the clock of the cluster',
    fix: 'set the clocks by NTP, and run the command again',
  },
  'clock-differs/behind': {
    severity: 'warning',
    what: ({ minutes }: { readonly minutes: number }) =>
      `The clock of this machine is ${minutes} minutes behind that of the API server`,
    why: 'What has expired, is late or has no leader may be missing here, and certificates may seem not valid yet',
    fix: 'set the clocks by NTP, and run the command again',
  },
  'eviction-blocked/drain': {
    severity: 'warning',
    what: ({ budget, workloads, nodes }: Named<'budget' | 'workloads' | 'nodes'>) =>
      `The PodDisruptionBudget ${budget} permits no eviction of ${workloads} from ${nodes}, which accept no pods`,
    why: 'A drain of the nodes waits for it',
    fix: permitEviction,
  },
  'eviction-blocked/restart': {
    severity: 'warning',
    what: ({ budget, workloads }: Named<'budget' | 'workloads'>) =>
      `The PodDisruptionBudget ${budget} permits no restart of ${workloads}`,
    why: 'The operator waits until the budget permits it, which delays the rotation of the trust anchor or the new configuration',
    fix: permitEviction,
  },
  'volume-not-mounted': {
    severity: 'error',
    what: ({ workload, message }: Named<'workload' | 'message'>) =>
      `A volume of pods of ${workload} cannot be mounted: ${message}`,
    why: 'They do not start: a Secret or ConfigMap is missing, or lacks a key',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe pods, and look at the Certificate or the tool that creates the object`,
  },
  'issuer-refused': {
    severity: 'error',
    what: ({ message }: Named<'message'>) => `Identity refuses all requests of proxies: ${message}`,
    why: 'Its own certificate or key is missing, has expired, or no trust root signed it',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe certificate linkerd-identity-issuer`,
  },
  'nodes-not-ready': {
    severity: 'error',
    what: ({ notReady, nodes, names }: Record<'notReady' | 'nodes', number> & Named<'names'>) =>
      `${notReady} of ${nodes} nodes ${notReady === 1 ? 'is' : 'are'} not ready: ${names}`,
    why: 'Their pods are unreachable, and new pods do not start on them',
    fix: ({ kubectl }: Named<'kubectl'>) => `run ${kubectl} describe nodes, and repair or replace them`,
  },
  'nodes-closed/cordoned': {
    severity: 'error',
    what: ({ cordoned }: Named<'cordoned'>) => `No node accepts pods: all are cordoned, ${cordoned}`,
    why: NOT_SCHEDULED,
    fix: openNodes,
  },
  'nodes-closed/tainted': {
    severity: 'error',
    what: ({ taints }: Named<'taints'>) => `No node accepts pods: all are tainted, with ${taints}`,
    why: NOT_SCHEDULED,
    fix: openNodes,
  },
  'nodes-closed/cordoned-or-tainted': {
    severity: 'error',
    what: ({ cordoned, taints }: Named<'cordoned' | 'taints'>) =>
      `No node accepts pods: ${cordoned} are cordoned, and all others are tainted with ${taints}`,
    why: NOT_SCHEDULED,
    fix: openNodes,
  },
  'namespace-terminating': {
    severity: 'error',
    what: ({ namespace, message }: Named<'namespace' | 'message'>) =>
      `The namespace ${namespace} is being deleted${message === '' ? '' : `: ${message}`}`,
    why: 'The API server refuses new objects in it',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} get namespace/${shellWord(namespace)} -o yaml, remove what its conditions name, and let Argo CD recreate it`,
  },
  'quota-exhausted': {
    severity: 'error',
    what: ({ quota, resources }: Named<'quota' | 'resources'>) => `The ResourceQuota ${quota} is used up: ${resources}`,
    why: 'The API server refuses new pods in its namespace',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `raise its limits: run ${kubectl} -n ${shellWord(namespace)} edit resourcequota/${shellWord(name)}`,
  },
  'quota-unspecified/proxy': {
    severity: 'error',
    what: unspecified,
    why: 'Linkerd adds containers to the pods, and by default they have no limits',
    fix: ({ namespace }: Named<'namespace'>) =>
      `set proxy.resources in the values of the control plane, or the annotations ${PROXY_RESOURCES} of the namespace ${namespace}; a LimitRange with defaults does the same for all containers`,
  },
  'quota-unspecified': {
    severity: 'error',
    what: unspecified,
    why: 'Each container of a pod must have them, also the containers that Linkerd adds',
    fix: ({ namespace }: Named<'namespace'>) =>
      `set them in the pod template; for proxies by proxy.resources, or the annotations ${PROXY_RESOURCES} of the namespace ${namespace}; a LimitRange with defaults does the same for all containers`,
  },
  'limit-range-refuses': {
    severity: 'error',
    what: ({ namespace, message }: Named<'namespace' | 'message'>) =>
      `A LimitRange in ${namespace} refuses pods: ${message}`,
    why: 'The LimitRange also applies to the containers that Linkerd adds',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe limitrange, and set the resources of the container; those of a proxy are the annotations ${PROXY_RESOURCES}`,
  },
  'pod-security-refuses': {
    severity: 'error',
    what: ({ namespace, level }: Named<'namespace' | 'level'>) =>
      `The namespace ${namespace} enforces the pod security level ${level}, and refuses pods`,
    why: 'Pods of the mesh may need more, such as linkerd-init without the CNI plugin',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `install the CNI plugin, or run ${kubectl} label namespace/${shellWord(namespace)} --overwrite pod-security.kubernetes.io/enforce=privileged`,
  },
  'policy-refuses-pods': {
    severity: 'error',
    what: ({ policy, namespace }: Named<'policy' | 'namespace'>) =>
      `The ValidatingAdmissionPolicy ${policy} refuses pods in ${namespace}`,
    why: 'linkerd-require-proxy refuses pods to which no injector added a proxy; other policies have their own reasons',
    fix: ({ kubectl, policy }: Named<'kubectl' | 'policy'>) =>
      `run ${kubectl} get validatingadmissionpolicy/${shellWord(policy)} -o yaml; fix the injector rather than the policy`,
  },
  'pods-refused': {
    severity: 'error',
    what: ({ workloads, message }: Named<'workloads' | 'message'>) =>
      `The API server refuses pods of ${workloads}: ${message}`,
    why: 'Pods that stop are not replaced',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} get events --field-selector reason=FailedCreate`,
  },
  'pods-unscheduled': {
    severity: 'error',
    what: ({ workload, message }: Named<'workload' | 'message'>) =>
      `The scheduler finds no node for pods of ${workload}: ${message}`,
    why: 'They do not start',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe pods, and add nodes or lower requests`,
  },
  'image-unpullable': {
    severity: 'error',
    what: ({ workload, image, message }: Named<'workload' | 'image' | 'message'>) =>
      `Nodes cannot pull the image ${image} of ${workload}${message === '' ? '' : `: ${message}`}`,
    why: 'Its pods do not start',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `check registry, credentials and mirror (docs/air-gapped.md); run ${kubectl} -n ${shellWord(namespace)} describe pods`,
  },
  'container-not-starting': {
    severity: 'error',
    what: failingContainer,
    why: NOT_READY,
    fix: readLogs,
  },
  'container-not-starting/unstarted': {
    severity: 'error',
    what: failingContainer,
    why: NOT_READY,
    fix: ({ kubectl, namespace, pod }: Named<'kubectl' | 'namespace' | 'pod'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe pod/${shellWord(pod)}: a ConfigMap, a Secret or a key that it names may be missing`,
  },
  'container-not-starting/memory': {
    severity: 'error',
    what: failingContainer,
    why: 'It used more memory than its limit permits',
    fix: 'raise its memory limit; that of a proxy is the annotation config.linkerd.io/proxy-memory-limit, or proxy.resources.memory.limit for all',
  },
  'container-not-starting/init': {
    severity: 'error',
    what: failingContainer,
    why: 'It redirects the connections of the pod to its proxy with iptables, which needs the capabilities NET_ADMIN and NET_RAW, and modules of the kernel',
    fix: (parameters: ContainerPlace) =>
      `${readLogs(parameters)}; where the kernel lacks the tables of iptables-legacy, set proxyInit.iptablesMode to nft, and where pods may not have the capabilities, install the CNI plugin`,
  },
  'container-not-starting/validator': {
    severity: 'error',
    what: failingContainer,
    why: 'Connections of the pod do not reach its proxy: the CNI plugin did not set up the network of the pod, because it was not ready on the node then, or because the configuration on the node lacks it',
    fix: ({ kubectl, namespace, pod, node }: Named<'kubectl' | 'namespace' | 'pod' | 'node'>) =>
      `run ${kubectl} get pods -A -l k8s-app=linkerd-cni --field-selector spec.nodeName=${shellWord(node)}, repair the plugin if it is not ready, and then run ${kubectl} -n ${shellWord(namespace)} delete pod/${shellWord(pod)}; repairController.enabled of linkerd2-cni deletes such pods by itself; with Cilium, set its value cni.exclusive to false`,
  },
  'container-not-starting/before-proxy': {
    severity: 'error',
    what: failingContainer,
    why: 'The proxy starts only after it; with the CNI plugin, its connections are redirected to the proxy already, and fail',
    fix: (parameters: ContainerPlace) =>
      `${readLogs(parameters)}; if it needs the network, make the proxy a native sidecar, with the annotation config.linkerd.io/proxy-enable-native-sidecar, or skip its ports with config.linkerd.io/skip-outbound-ports`,
  },
  'pod-network-failed': {
    severity: 'error',
    what: ({ workloads, message }: Named<'workloads' | 'message'>) =>
      `Nodes cannot set up the network of pods of ${workloads}: ${message}`,
    why: "Their containers do not start; a CNI plugin fails, and Linkerd's is one of the plugins in the chain",
    fix: ({ kubectl, node }: Named<'kubectl' | 'node'>) =>
      `run ${kubectl} get pods -A -l k8s-app=linkerd-cni --field-selector spec.nodeName=${shellWord(node)}, and restart it if the message is about linkerd-cni: its token on the node may have expired`,
  },
  'workload-scaled-down': {
    severity: 'error',
    what: ({ workload, manager }: Named<'workload' | 'manager'>) =>
      `${workload} is scaled to 0${manager === '' ? '' : ` by ${manager}`}`,
    why: 'Its part of the mesh does not work',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} scale deployment/${shellWord(name)} --replicas=1`,
  },
  'leader-missing': {
    severity: 'error',
    what: ({ workload, lease, holder }: Named<'workload' | 'lease' | 'holder'>) =>
      `No pod of ${workload} leads: the Lease ${lease} of ${holder} has expired`,
    why: 'Its controllers do nothing',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} logs deployment/${shellWord(name)}, then ${kubectl} -n ${shellWord(namespace)} rollout restart deployment/${shellWord(name)}`,
  },
  'kinds-missing': {
    severity: 'error',
    what: missingKinds,
    why: 'The policy controller in linkerd-destination does not become ready without its CustomResourceDefinitions',
    fix: 'sync the Application of linkerd-crds in Argo CD, or install the chart linkerd-crds again',
  },
  'kinds-missing/cert-manager': {
    severity: 'error',
    what: missingKinds,
    why: 'cert-manager issues and renews nothing without its CustomResourceDefinitions, and the operator rotates no anchor',
    fix: 'sync the Application of cert-manager in Argo CD, or install its CustomResourceDefinitions again',
  },
  'kinds-missing/trust-manager': {
    severity: 'error',
    what: missingKinds,
    why: 'trust-manager does not write the trust roots without its CustomResourceDefinition',
    fix: 'sync the Application of trust-manager in Argo CD, or install its CustomResourceDefinition again',
  },
  'server-refuses-all': {
    severity: 'warning',
    what: ({ namespace, servers }: Named<'namespace' | 'servers'>) =>
      `In ${namespace}, no authorization permits any client of ${servers}`,
    why: 'Their accessPolicy is deny: proxies refuse all connections and requests to their ports, also of the mesh',
    fix: "permit clients with an AuthorizationPolicy (docs/policy.md), or set accessPolicy: 'audit' to see which clients connect",
  },
  'issuer-missing': {
    severity: 'error',
    what: ({ issuer, certificate }: Named<'issuer' | 'certificate'>) =>
      `The ${issuer} of the Certificate ${certificate} is not in the cluster`,
    why: 'cert-manager cannot issue or renew it',
    fix: 'look at the Application of its namespace in Argo CD; with a TrustAnchor, at its status',
  },
  'issuer-not-ready': {
    severity: 'error',
    what: ({ issuer, message }: Named<'issuer' | 'message'>) => `The ${issuer} is not ready: ${message}`,
    why: 'cert-manager cannot issue or renew its certificates',
    fix: ({ kubectl, kind }: Named<'kubectl' | 'kind'>) => `run ${kubectl} describe ${kind}`,
  },
  'request-refused': {
    severity: 'error',
    what: ({ certificate, reason, message }: Named<'certificate' | 'reason' | 'message'>) =>
      `The last request of the Certificate ${certificate} was refused (${reason}): ${message}`,
    why: 'cert-manager tries again only after an hour, and waits longer each time',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `fix the cause, and then run ${kubectl} -n ${shellWord(namespace)} delete certificaterequest/${shellWord(name)}`,
  },
  'certificate-not-valid-yet': {
    severity: 'error',
    what: ({ certificate, start }: Named<'certificate' | 'start'>) =>
      `The certificate of ${certificate} is valid only from ${start}`,
    why: 'The clock of a node, or of this machine, is wrong; proxies refuse it until then',
    fix: 'compare the clocks of the nodes, and repair their NTP',
  },
  'installed-issuer-expired': {
    severity: 'warning',
    what: ({ end }: Named<'end'>) => `The identity issuer with which Linkerd was installed expired on ${end}`,
    why: 'Unless its Secret has been replaced since, identity can no longer issue certificates',
    fix: 'replace it: docs/operations.md#the-issuer-or-the-anchor-has-expired',
  },
  'renewals-stopped': {
    severity: 'error',
    what: ({ certificate, end }: Named<'certificate' | 'end'>) =>
      `No certificate of the mesh is renewed; that of ${certificate} is the next to expire, on ${end}`,
    why: 'The pods that use the certificate stop working then',
    fix: 'repair cert-manager before that',
  },
  'roots-not-synced': {
    severity: 'error',
    what: ({ reason, message }: Named<'reason' | 'message'>) =>
      `trust-manager does not write the trust roots (${reason}): ${message}`,
    why: 'The mesh keeps the roots that it has, and lacks any new one',
    fix: ({ kubectl }: Named<'kubectl'>) =>
      `run ${kubectl} describe bundle linkerd-identity-trust-roots, and label the Secret of the anchor with cdk8s-linkerd/trust-anchor=current`,
  },
  'roots-expired': {
    severity: 'error',
    what: ({ end }: Named<'end'>) => `All trust roots of the mesh have expired, the last one on ${end}`,
    why: 'Proxies refuse every certificate of the mesh',
    fix: 'replace the trust anchor now: docs/operations.md#the-issuer-or-the-anchor-has-expired',
  },
  'issuer-not-taken-up': {
    severity: 'error',
    what: ({ message }: Named<'message'>) => `Identity does not use the new issuer: ${message}`,
    why: 'It keeps using the old one until that expires, and then issues nothing',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} rollout restart deployment/linkerd-identity`,
  },
  'identity-stopped': {
    severity: 'error',
    what: 'Identity cannot issue certificates',
    why: 'New pods do not become ready, and within a day the proxies of all others lose their certificates',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} logs deployment/linkerd-identity -c identity`,
  },
  'destination-stopped': {
    severity: 'error',
    what: 'No pod of linkerd-destination is ready',
    why: 'Proxies know only the addresses and policies that they had, and new proxies know none',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe deployment linkerd-destination`,
  },
  'injection-stopped/refused': {
    severity: 'error',
    what: 'The injector does not answer, and its webhook has failurePolicy Fail: no new pod starts',
    why: 'Pods that stop are not replaced, in every namespace that the webhook covers',
    fix: 'repair the injector; docs/operations.md#pods-without-a-proxy explains how to start pods without the webhook in an emergency',
  },
  'injection-stopped/ignored': {
    severity: 'error',
    what: 'The injector does not answer: new pods start without a proxy',
    why: 'Their traffic is not encrypted, and servers that require a meshed client refuse them',
    fix: 'repair the injector, and then restart the workloads whose pods started meanwhile',
  },
  'webhook-unreachable/service': {
    severity: 'error',
    what: ({ webhook, service }: Named<'webhook' | 'service'>) =>
      `${webhook} calls the Service ${service}, which is not in the cluster or has no endpoints`,
    why: 'The API server cannot call it: with failurePolicy Fail, it rejects all objects that the webhook covers',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} get service/${shellWord(name)}; if it is missing, look at the Application of its namespace in Argo CD`,
  },
  'webhook-unreachable/endpoints': {
    severity: 'error',
    what: ({ webhook, service }: Named<'webhook' | 'service'>) =>
      `${webhook} calls the Service ${service}, which has no ready endpoint`,
    why: 'The API server cannot call it: with failurePolicy Fail, it rejects all objects that the webhook covers',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} get pods --show-labels, and compare them with the selector of the Service ${shellWord(name)}`,
  },
  'webhook-unreachable/network': {
    severity: 'error',
    what: ({ webhook, service, ports, message }: Named<'webhook' | 'service' | 'ports' | 'message'>) =>
      `${webhook} calls the Service ${service}, whose pods are ready at port ${ports}, but the API server does not reach them: ${message}`,
    why: 'Something between the API server and the pods drops its connections: usually the firewall of a private GKE cluster, which opens only ports 443 and 10250 of nodes to it, the security group of the nodes in EKS, or a network of pods in which the API server is not',
    fix: ({ ports }: Named<'ports'>) =>
      `permit TCP connections from the API server to port ${ports} of nodes and pods: by a firewall rule for the network of the control plane in GKE, by a rule of the nodes' security group in EKS, by a NetworkPolicy where there is one`,
  },
  'webhook-denied/live': {
    severity: 'error',
    what: ({ webhook, service, port, guard }: Named<'webhook' | 'service' | 'port' | 'guard'>) =>
      `${webhook} calls the Service ${service}, whose proxies refuse the API server at port ${port}: ${guard}`,
    why: 'The API server is not in the mesh: with failurePolicy Fail, it rejects all objects that the webhook covers',
    fix: ({ port }: Named<'port'>) =>
      `permit the networks of the API server by a Server of the port and an AuthorizationPolicy with a NetworkAuthentication (docs/policy.md), or let the port bypass the proxy with the annotation config.linkerd.io/skip-inbound-ports: "${port}"`,
  },
  'kube-system-unprotected': {
    severity: 'warning',
    what: ({ webhook }: Named<'webhook'>) => `${webhook} has failurePolicy Fail, and covers kube-system`,
    why: 'If no node of the cluster runs an injector, no pod of kube-system starts, and the cluster does not recover by itself',
    fix: ({ kubectl }: Named<'kubectl'>) =>
      `run ${kubectl} label namespace kube-system config.linkerd.io/admission-webhooks=disabled`,
  },
  'api-unavailable': {
    severity: 'error',
    what: ({ name, message }: Named<'name' | 'message'>) => `The APIService ${name} does not respond: ${message}`,
    why: 'Its kinds cannot be read, and no namespace can be deleted meanwhile',
    fix: ({ kubectl, name }: Named<'kubectl' | 'name'>) => `run ${kubectl} describe apiservice/${shellWord(name)}`,
  },
  'application-paused': {
    severity: 'warning',
    what: ({ name }: Named<'name'>) => `The Application ${name} is OutOfSync, and is not synced automatically`,
    why: 'Argo CD does not repair its objects',
    fix: ({ name }: Named<'name'>) => `run argocd app sync ${name}`,
  },
  'pods-unexplained': {
    severity: 'note',
    what: ({ subject, state }: Named<'subject' | 'state'>) => `${subject}: ${state}`,
    why: 'Nothing that could be read shows a problem of the mesh',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `look at the application itself: run ${kubectl} -n ${shellWord(namespace)} get events --sort-by=.lastTimestamp`,
  },
  'pods-unread': {
    severity: 'error',
    what: ({ subject }: Named<'subject'>) => `${subject} cannot be examined: some lists could not be read to the end`,
    why: 'It is unknown whether its pods run, and whether they have a proxy',
    fix: 'permit list requests (docs/doctor.md links a ClusterRole), or run the command again with a longer --timeout or more --max-pages',
  },
  'pods-outside/host-network': {
    severity: 'note',
    what: ({ subject }: Named<'subject'>) => `Pods of ${subject} have no proxy: they are on the network of their host`,
    why: 'The injector never adds one to such pods',
    fix: 'do nothing, or remove hostNetwork if the workload does not need it',
  },
  'pods-outside/opted-out': {
    severity: 'note',
    what: ({ subject, value }: Named<'subject' | 'value'>) =>
      `Pods of ${subject} have no proxy: their annotation linkerd.io/inject is ${value}`,
    why: 'The annotation of a pod overrides that of its namespace',
    fix: 'remove the annotation from the pod template',
  },
  'pods-outside/not-requested': {
    severity: 'note',
    what: ({ subject, namespace }: Named<'subject' | 'namespace'>) =>
      `Pods of ${subject} have no proxy: neither they nor the namespace ${namespace} ask for one`,
    why: 'The injector adds one only where linkerd.io/inject is enabled',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} annotate namespace/${shellWord(namespace)} linkerd.io/inject=enabled, and restart the workload`,
  },
  'pods-outside/exempt': {
    severity: 'note',
    what: ({ subject, namespace }: Named<'subject' | 'namespace'>) =>
      `Pods of ${subject} have no proxy: the namespace ${namespace} is excluded from Linkerd's webhooks`,
    why: 'The API server never calls the injector there',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `if it should be meshed, run ${kubectl} label namespace/${shellWord(namespace)} config.linkerd.io/admission-webhooks-, and restart the workload`,
  },
});
