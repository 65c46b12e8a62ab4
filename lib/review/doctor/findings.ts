import { catalogue } from '#base/findings/catalogue';
import type { Named } from '#base/named';
import { shellWord } from '#base/shell-word';
import { NEVER_INJECTED } from '../../checks/policy/pod-sets';

const NOT_SCHEDULED = 'Pods without a matching toleration are not scheduled';

function openNodes({ command }: Named<'command'>): string {
  return `run ${command}, and the same for the other nodes`;
}

function permitEviction({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>): string {
  return `run ${kubectl} -n ${shellWord(namespace)} describe pdb/${shellWord(name)}: make the missing pods ready, or permit one more unavailable pod`;
}

const READ_LISTS =
  'permit list requests (docs/doctor.md links a ClusterRole), or run the command again with a longer --timeout or more --max-pages';

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
 * Findings of `cdk8s-linkerd doctor`, in addition to those of `status`. `kubectl` is the command with its context.
 */
export const DOCTOR_FINDINGS = catalogue({
  'mesh-missing/unread': {
    severity: 'error',
    what: 'The lists that could be read contain no Linkerd control plane',
    why: 'The mesh cannot be examined without the other lists',
    fix: READ_LISTS,
  },
  'mesh-missing/absent': {
    severity: 'error',
    what: 'The cluster has no control plane of Linkerd',
    why: 'The cluster has no Deployment of a control plane, no namespace with its label and no trust roots',
    fix: 'check the context; with an output, look at the Application of the control plane in Argo CD',
  },
  'meshes-several': {
    severity: 'warning',
    what: ({ namespace, others }: Named<'namespace' | 'others'>) =>
      `The cluster has several control planes: only the one in ${namespace} is examined, not ${others}`,
    why: 'A cluster has one configuration of the injector: one control plane injects the pods of all namespaces, and the others may not work',
    fix: 'remove the remains of the other control planes, or examine each with its own output',
  },
  'clock-differs/ahead': {
    severity: 'warning',
    what: ({ minutes }: { readonly minutes: number }) =>
      `The clock of this machine is ${minutes} minutes ahead of the clock of the API server`,
    why: "Findings about expiry, delays and leases may be wrong: they use this machine's clock",
    fix: 'set the clocks by NTP, and run the command again',
  },
  'clock-differs/behind': {
    severity: 'warning',
    what: ({ minutes }: { readonly minutes: number }) =>
      `The clock of this machine is ${minutes} minutes behind the clock of the API server`,
    why: 'Expiry, delays and expired Leases may be missed, and valid certificates may be reported as not valid yet',
    fix: 'set the clocks by NTP, and run the command again',
  },
  'eviction-blocked/drain': {
    severity: 'warning',
    what: ({ budget, workloads, nodes }: Named<'budget' | 'workloads' | 'nodes'>) =>
      `The PodDisruptionBudget ${budget} permits no eviction of ${workloads} from the cordoned nodes ${nodes}`,
    why: 'A drain of the nodes waits until the budget permits the eviction',
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
    why: 'The pods do not start: usually a Secret or ConfigMap is missing, or lacks a key',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe pods, and look at the Certificate or the tool that creates the object`,
  },
  'issuer-refused': {
    severity: 'error',
    what: ({ message }: Named<'message'>) => `Identity refuses all requests of proxies: ${message}`,
    why: 'The issuer that identity uses has expired, or no valid trust root that identity read at its start signed it',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe certificate linkerd-identity-issuer; if it is ready, run ${kubectl} -n ${shellWord(namespace)} rollout restart deployment/linkerd-identity`,
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
      `run ${kubectl} get namespace/${shellWord(namespace)} -o yaml, remove the objects that its conditions name, and let Argo CD recreate it`,
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
    why: 'Linkerd adds containers to the pods, and by default they have neither requests nor limits',
    fix: ({ namespace }: Named<'namespace'>) =>
      `set proxy.resources in the values of the control plane, or the annotations ${PROXY_RESOURCES} of the namespace ${namespace}; a LimitRange with defaults does the same for all containers`,
  },
  'quota-unspecified': {
    severity: 'error',
    what: unspecified,
    why: 'Each container of a pod must specify them, including the containers that Linkerd adds',
    fix: ({ namespace }: Named<'namespace'>) =>
      `set them in the pod template, and for proxies in proxy.resources or the annotations ${PROXY_RESOURCES} of the namespace ${namespace}; a LimitRange with defaults does the same for all containers`,
  },
  'limit-range-refuses': {
    severity: 'error',
    what: ({ namespace, message }: Named<'namespace' | 'message'>) =>
      `A LimitRange in ${namespace} refuses pods: ${message}`,
    why: 'The LimitRange also applies to the containers that Linkerd adds',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe limitrange, and set the resources of the container; for a proxy, use the annotations ${PROXY_RESOURCES}`,
  },
  'pod-security-refuses': {
    severity: 'error',
    what: ({ namespace, level }: Named<'namespace' | 'level'>) =>
      `The namespace ${namespace} enforces the pod security level ${level}, and refuses pods`,
    why: 'Pods of the mesh may need more privileges: without the CNI plugin, linkerd-init does',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `install the CNI plugin, or run ${kubectl} label namespace/${shellWord(namespace)} --overwrite pod-security.kubernetes.io/enforce=privileged`,
  },
  'policy-refuses-pods': {
    severity: 'error',
    what: ({ policy, namespace }: Named<'policy' | 'namespace'>) =>
      `The ValidatingAdmissionPolicy ${policy} refuses pods in ${namespace}`,
    why: 'A policy linkerd-require-proxy-NAMESPACE refuses pods to which no injector added a proxy; other policies have their own reasons',
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
    why: 'The pods do not start',
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
      `run ${kubectl} -n ${shellWord(namespace)} describe pod/${shellWord(pod)}: a ConfigMap, a Secret or a key that the pod names may be missing`,
  },
  'container-not-starting/memory': {
    severity: 'error',
    what: failingContainer,
    why: 'The container used more memory than its limit permits',
    fix: 'raise its memory limit: for one proxy by the annotation config.linkerd.io/proxy-memory-limit, for all by proxy.resources.memory.limit',
  },
  'container-not-starting/init': {
    severity: 'error',
    what: failingContainer,
    why: 'The container redirects the connections of the pod to its proxy with iptables, which needs the capabilities NET_ADMIN and NET_RAW, and modules of the kernel',
    fix: (parameters: ContainerPlace) =>
      `${readLogs(parameters)}; if the kernel lacks the tables of iptables-legacy, set proxyInit.iptablesMode to nft; if pods may not have the capabilities, install the CNI plugin`,
  },
  'container-not-starting/validator': {
    severity: 'error',
    what: failingContainer,
    why: 'Connections of the pod do not reach its proxy: the CNI plugin was not ready when the pod started, or the CNI configuration of the node lacks the plugin',
    fix: ({ kubectl, namespace, pod, node }: Named<'kubectl' | 'namespace' | 'pod' | 'node'>) =>
      `run ${kubectl} get pods -A -l k8s-app=linkerd-cni --field-selector spec.nodeName=${shellWord(node)}, repair the plugin if it is not ready, and then run ${kubectl} -n ${shellWord(namespace)} delete pod/${shellWord(pod)}; to delete such pods automatically, set repairController.enabled of linkerd2-cni; with Cilium, set its value cni.exclusive to false`,
  },
  'container-not-starting/before-proxy': {
    severity: 'error',
    what: failingContainer,
    why: 'The proxy starts only after this container; with the CNI plugin, connections of the container are already redirected to the proxy, and fail',
    fix: (parameters: ContainerPlace) =>
      `${readLogs(parameters)}; if it needs the network, make the proxy a native sidecar, with the annotation config.linkerd.io/proxy-enable-native-sidecar, or skip its ports with config.linkerd.io/skip-outbound-ports`,
  },
  'pod-network-failed': {
    severity: 'error',
    what: ({ workloads, message }: Named<'workloads' | 'message'>) =>
      `Nodes cannot set up the network of pods of ${workloads}: ${message}`,
    why: "The containers do not start: a plugin of the CNI chain fails, possibly Linkerd's",
    fix: ({ kubectl, node }: Named<'kubectl' | 'node'>) =>
      `run ${kubectl} get pods -A -l k8s-app=linkerd-cni --field-selector spec.nodeName=${shellWord(node)}, and restart the plugin if the message is about linkerd-cni: its token on the node may have expired`,
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
      `No pod of ${workload} leads: the Lease ${lease}, held by ${holder}, has expired`,
    why: 'Its controllers are inactive',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} logs deployment/${shellWord(name)}, then ${kubectl} -n ${shellWord(namespace)} rollout restart deployment/${shellWord(name)}`,
  },
  'kinds-missing': {
    severity: 'error',
    what: missingKinds,
    why: 'linkerd-destination does not become ready without its CustomResourceDefinitions',
    fix: 'sync the Application of linkerd-crds in Argo CD, or install the chart linkerd-crds again',
  },
  'kinds-missing/cert-manager': {
    severity: 'error',
    what: missingKinds,
    why: 'Without its CustomResourceDefinitions, cert-manager issues and renews no certificates, and the operator rotates no trust anchor',
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
    why: 'Their accessPolicy is deny: proxies refuse all connections and requests to their ports except probes, also from meshed clients',
    fix: "permit clients with an AuthorizationPolicy (docs/policy.md), or set accessPolicy: 'audit' to see which clients connect",
  },
  'issuer-missing': {
    severity: 'error',
    what: ({ issuer, certificate }: Named<'issuer' | 'certificate'>) =>
      `The ${issuer} of the Certificate ${certificate} is not in the cluster`,
    why: 'cert-manager cannot issue or renew the certificate',
    fix: 'check the Application of its namespace in Argo CD, and the status of the TrustAnchor if the cluster has one',
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
    fix: ({ cmctl, namespace, name }: Named<'cmctl' | 'namespace' | 'name'>) =>
      `fix the cause, and then run ${cmctl} renew -n ${shellWord(namespace)} ${shellWord(name)}`,
  },
  'certificate-not-valid-yet': {
    severity: 'error',
    what: ({ certificate, start }: Named<'certificate' | 'start'>) =>
      `The certificate of ${certificate} is valid only from ${start}`,
    why: 'The clock of a node, or of this machine, is wrong; proxies refuse the certificate until then',
    fix: 'compare the clocks of the nodes, and repair their NTP',
  },
  'installed-issuer-expired': {
    severity: 'warning',
    what: ({ end }: Named<'end'>) => `The identity issuer with which Linkerd was installed expired on ${end}`,
    why: 'If its Secret has not been replaced, identity can no longer issue certificates',
    fix: 'replace it as in https://linkerd.io/2-edge/tasks/replacing_expired_certificates/; docs/helm-anchor.md#keys-in-helms-values explains how cert-manager can renew it',
  },
  'renewals-stopped': {
    severity: 'error',
    what: ({ certificate, end }: Named<'certificate' | 'end'>) =>
      `No certificate of the mesh is renewed; ${certificate} is the next to expire, on ${end}`,
    why: 'The pods that use the certificate stop working then',
    fix: 'repair cert-manager before this time',
  },
  'roots-not-synced': {
    severity: 'error',
    what: ({ reason, message }: Named<'reason' | 'message'>) =>
      `trust-manager does not write the trust roots (${reason}): ${message}`,
    why: 'The mesh keeps its old roots, and gets no new ones',
    fix: ({ kubectl }: Named<'kubectl'>) =>
      `run ${kubectl} describe bundle linkerd-identity-trust-roots; if it finds no source, label the Secret of the anchor with cdk8s-linkerd/trust-anchor=current`,
  },
  'roots-expired': {
    severity: 'error',
    what: ({ end }: Named<'end'>) => `All trust roots of the mesh have expired, the last one on ${end}`,
    why: 'Identity issues no certificates: new pods do not become ready, and proxies refuse each other when theirs expire, within a day',
    fix: 'replace the trust anchor now: docs/operations.md#the-issuer-or-the-anchor-has-expired',
  },
  'issuer-not-taken-up': {
    severity: 'error',
    what: ({ message }: Named<'message'>) => `Identity does not use the new issuer: ${message}`,
    why: 'Identity uses the old issuer until it expires, and then issues no certificates',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} rollout restart deployment/linkerd-identity`,
  },
  'identity-stopped': {
    severity: 'error',
    what: 'Identity cannot issue certificates',
    why: 'New pods do not become ready, and the certificates of running proxies expire within a day',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} logs deployment/linkerd-identity -c identity`,
  },
  'destination-stopped': {
    severity: 'error',
    what: 'No pod of linkerd-destination is ready',
    why: 'Running proxies keep their last addresses and policies, and new proxies get none',
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
    fix: 'repair the injector, and then restart the workloads of pods that started without a proxy',
  },
  'webhook-unreachable/service': {
    severity: 'error',
    what: ({ webhook, service }: Named<'webhook' | 'service'>) =>
      `${webhook} calls the Service ${service}, which is not in the cluster or has no endpoints`,
    why: 'The API server cannot call the webhook: with failurePolicy Fail, it rejects all objects that the webhook covers',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} get service/${shellWord(name)}; if it is missing, look at the Application of its namespace in Argo CD`,
  },
  'webhook-unreachable/endpoints': {
    severity: 'error',
    what: ({ webhook, service }: Named<'webhook' | 'service'>) =>
      `${webhook} calls the Service ${service}, which has no ready endpoint`,
    why: 'The API server cannot call the webhook: with failurePolicy Fail, it rejects all objects that the webhook covers',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} get pods --show-labels, and compare them with the selector of the Service ${shellWord(name)}`,
  },
  'webhook-unreachable/network': {
    severity: 'error',
    what: ({ webhook, service, ports, message }: Named<'webhook' | 'service' | 'ports' | 'message'>) =>
      `${webhook} calls the Service ${service}, whose pods are ready at port ${ports}, but the API server cannot reach them: ${message}`,
    why: 'The network drops connections from the API server to the pods: usually by the firewall of a private GKE cluster, which permits only ports 443 and 10250 of nodes, by the security group of the nodes in EKS, or because the API server is not in the pod network',
    fix: ({ ports }: Named<'ports'>) =>
      `permit TCP connections from the API server to port ${ports} of nodes and pods: by a firewall rule for the network of the control plane in GKE, by a rule of the nodes' security group in EKS, or by a NetworkPolicy if one selects the pods`,
  },
  'webhook-denied/live': {
    severity: 'error',
    what: ({ webhook, service, port, guard }: Named<'webhook' | 'service' | 'port' | 'guard'>) =>
      `${webhook} calls the Service ${service}, whose proxies refuse the API server at port ${port}: ${guard}`,
    why: 'The API server is not in the mesh: with failurePolicy Fail, it rejects all objects that the webhook covers',
    fix: ({ port }: Named<'port'>) =>
      `permit the networks of the API server with a Server for the port and an AuthorizationPolicy with a NetworkAuthentication (docs/policy.md), or let the port bypass the proxy with the annotation config.linkerd.io/skip-inbound-ports: "${port}"`,
  },
  'kube-system-unprotected': {
    severity: 'warning',
    what: ({ webhook }: Named<'webhook'>) => `${webhook} has failurePolicy Fail, and covers kube-system`,
    why: 'If no node of the cluster runs an injector, no pod of kube-system starts, and the cluster does not recover without intervention',
    fix: ({ kubectl }: Named<'kubectl'>) =>
      `run ${kubectl} label namespace kube-system config.linkerd.io/admission-webhooks=disabled`,
  },
  'api-unavailable': {
    severity: 'error',
    what: ({ name, message }: Named<'name' | 'message'>) => `The APIService ${name} does not respond: ${message}`,
    why: 'Its kinds cannot be read, and no namespace can be deleted',
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
    why: 'The objects that could be read show no problem of the mesh that affects these pods',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `check the application: run ${kubectl} -n ${shellWord(namespace)} get events --sort-by=.lastTimestamp`,
  },
  'pods-unread': {
    severity: 'error',
    what: ({ subject }: Named<'subject'>) => `${subject} cannot be examined: some lists could not be read completely`,
    why: 'It is unknown whether its pods run, and whether they have a proxy',
    fix: READ_LISTS,
  },
  'pods-outside/host-network': {
    severity: 'note',
    what: ({ subject }: Named<'subject'>) => `Pods of ${subject} have no proxy: they use the host network`,
    why: 'The injector adds no proxy to pods on the host network',
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
      `Pods of ${subject} have no proxy: neither the pods nor the namespace ${namespace} request one`,
    why: 'The injector adds a proxy only where linkerd.io/inject is enabled or ingress',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} annotate namespace/${shellWord(namespace)} linkerd.io/inject=enabled, and restart the workload`,
  },
  'pods-outside/exempt': {
    severity: 'note',
    what: ({ subject, namespace }: Named<'subject' | 'namespace'>) =>
      `Pods of ${subject} have no proxy: the namespace ${namespace} is excluded from Linkerd's webhooks`,
    why: 'The API server never calls the injector for pods of this namespace',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      NEVER_INJECTED.includes(namespace)
        ? `do nothing: the webhook of Linkerd's chart excludes ${namespace} by its name`
        : `if it should be meshed, run ${kubectl} label namespace/${shellWord(namespace)} config.linkerd.io/admission-webhooks-, and restart the workload`,
  },
});
