import { catalogue } from '#base/findings/catalogue';
import type { Named } from '#base/named';
import { shellWord } from '#base/shell-word';

/** The workloads that a fix restarts. */
export interface RestartParameters {
  readonly kubectl: string;
  /** The first workload: `Deployment shop/web`. */
  readonly workload: string;
  /** The arguments of kubectl that restart it; undefined if kubectl cannot restart its kind. */
  readonly command?: string | undefined;
  /** The number of other workloads. */
  readonly others: number;
}

function restart({ kubectl, workload, command, others }: RestartParameters): string {
  const first = command === undefined ? `restart ${workload}` : `run ${kubectl} ${command}`;
  return others === 0 ? first : `${first}, and the same for the others`;
}

function degradedAnchor({ reason, message }: Named<'reason' | 'message'>): string {
  return `The TrustAnchor is degraded (${reason}): ${message}`;
}

function describeAnchor({ kubectl }: Named<'kubectl'>): string {
  return `run ${kubectl} describe trustanchor linkerd; docs/trust-anchor.md explains the reasons`;
}

const INJECTED = 'The output enables injection in this namespace';
const SYNC_NAMESPACE = 'check in Argo CD whether the Application of the namespace is synced';

/**
 * Findings about live clusters. `kubectl` is the command with the context of the cluster. They cannot be acknowledged:
 * they disappear with their causes.
 */
export const STATUS_FINDINGS = catalogue({
  'cluster-unreachable': {
    severity: 'error',
    what: ({ reason }: Named<'reason'>) => `The cluster does not respond: ${reason}`,
    why: 'The mesh of the cluster cannot be checked',
    fix: ({ kubectl }: Named<'kubectl'>) => `run ${kubectl} get --raw /version; set another context with --context`,
  },
  'cluster-context-missing/context': {
    severity: 'error',
    what: ({ context }: Named<'context'>) => `The kubeconfig has no context ${context}`,
    why: 'The mesh of the cluster cannot be checked',
    fix: 'run kubectl config get-contexts, and set the context with --context CLUSTER=CONTEXT or in the fleet file',
  },
  'cluster-context-missing/cluster': {
    severity: 'error',
    what: ({ context }: Named<'context'>) => `The kubeconfig has no cluster for the context ${context}`,
    why: 'The mesh of the cluster cannot be checked: kubectl would connect to localhost instead',
    fix: 'run kubectl config get-contexts, and add the cluster of the context to the kubeconfig again',
  },
  'list-unread/forbidden': {
    severity: 'warning',
    what: ({ resources }: Named<'resources'>) => `You are not permitted to list ${resources}`,
    why: 'Problems of these objects are not reported',
    fix: 'permit list requests: docs/status.md and docs/doctor.md link a ClusterRole',
  },
  'list-unread/failed': {
    severity: 'warning',
    what: ({ resources, reason }: Named<'resources' | 'reason'>) =>
      `The list of ${resources} cannot be read: ${reason}`,
    why: 'Problems of these objects are not reported',
    fix: 'run the command again, with a longer --timeout if the cluster is slow',
  },
  'list-unread/truncated': {
    severity: 'warning',
    what: ({ resources, count }: Named<'resources'> & { readonly count: number }) =>
      `Only the first ${count} ${resources} were read`,
    why: 'Problems of the other objects are not reported',
    fix: 'raise --max-pages',
  },
  'objects-differ': {
    severity: 'warning',
    what: ({ folder, objects, names }: Named<'folder' | 'objects' | 'names'>) =>
      `An apply of the folder ${folder} would change ${objects}: ${names}`,
    why: 'The cluster differs from the output: a sync is due, or a controller in the cluster writes the same fields',
    fix: ({ command }: Named<'command'>) => `run ${command}`,
  },
  'objects-uncompared': {
    severity: 'warning',
    what: ({ folder, reason }: Named<'folder' | 'reason'>) => `The folder ${folder} cannot be compared: ${reason}`,
    why: 'It is unknown whether its objects differ from the output',
    fix: 'check that you may patch its objects, which the dry run of an apply requires',
  },
  'success-rate-low': {
    severity: 'error',
    what: ({ rate, least }: Readonly<Record<'rate' | 'least', number>>) =>
      `The success rate of meshed requests is ${rate}, and the ring requires ${least}`,
    why: 'Requests fail, perhaps because of the change that you want to promote',
    fix: 'check the success rate of each workload, e.g. with linkerd viz stat',
  },
  'success-rate-unknown': {
    severity: 'error',
    what: ({ reason }: Named<'reason'>) => `The success rate of meshed requests is unknown: ${reason}`,
    why: 'The ring requires a success rate, so the cluster does not count as healthy',
    fix: 'check the props in health of the ring, and that you may get services/proxy (docs/status.md)',
  },
  'soak-unfinished': {
    severity: 'error',
    what: ({ soak }: Named<'soak'>) =>
      `The clusters have had no errors, unknown states or changes in progress for less than ${soak}`,
    why: 'Some errors occur only later, e.g. at the first renewal or under the load of a whole day',
    fix: 'run the command again, with a longer --wait',
  },
  'control-plane-release-differs': {
    severity: 'error',
    what: ({ running, intended }: Named<'running' | 'intended'>) =>
      `The control plane runs ${running}, and the output has ${intended}`,
    why: 'The upgrade has not reached the cluster, or the control plane was changed in the cluster',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} get deployments -o wide`,
  },
  'workload-missing': {
    severity: 'error',
    what: ({ workload }: Named<'workload'>) => `${workload} is not in the cluster`,
    why: 'Its part of the mesh does not work',
    fix: 'check in Argo CD whether the Application of its namespace is synced',
  },
  'workload-unavailable': {
    severity: 'error',
    what: ({ workload, ready, wanted }: Named<'workload'> & Readonly<Record<'ready' | 'wanted', number>>) =>
      `${workload} has ${ready} of ${wanted} pods of its current template ready`,
    why: ({ ready }: { readonly ready: number }) =>
      ready === 0
        ? 'Its part of the mesh does not work, unless pods of an earlier template are ready'
        : 'Its part of the mesh has less redundancy than intended',
    fix: ({ kubectl, command }: Named<'kubectl' | 'command'>) => `run ${kubectl} ${command}`,
  },
  'proxies-behind': {
    severity: 'warning',
    what: ({ pods, release, controlPlane, workloads }: Proxies) =>
      `The proxies of ${pods} are ${release}, and the control plane is ${controlPlane}: ${workloads}`,
    why: 'The proxies lack newer fixes, and Linkerd supports a control plane at most one minor version ahead of its proxies',
    fix: restart,
  },
  'proxies-too-far-behind': {
    severity: 'error',
    what: ({ pods, release, controlPlane, workloads }: Proxies) =>
      `The proxies of ${pods} are ${release}, and the control plane is ${controlPlane}: ${workloads}`,
    why: 'Linkerd supports a control plane that is at most one minor version ahead of its proxies',
    fix: restart,
  },
  'namespace-injection-differs/missing': {
    severity: 'error',
    what: ({ namespace }: Named<'namespace'>) => `The cluster has no namespace ${namespace}`,
    why: INJECTED,
    fix: SYNC_NAMESPACE,
  },
  'namespace-injection-differs/exempt': {
    severity: 'error',
    what: ({ namespace }: Named<'namespace'>) =>
      `New pods in ${namespace} get no proxy: its label excludes it from Linkerd's webhooks`,
    why: INJECTED,
    fix: 'remove the label config.linkerd.io/admission-webhooks from the namespace: a sync does not remove it if Git does not contain it',
  },
  'namespace-injection-differs/unset': {
    severity: 'error',
    what: ({ namespace }: Named<'namespace'>) =>
      `New pods in ${namespace} get no proxy by default: it has no annotation linkerd.io/inject`,
    why: INJECTED,
    fix: SYNC_NAMESPACE,
  },
  'namespace-injection-differs': {
    severity: 'error',
    what: ({ namespace, inject }: Named<'namespace' | 'inject'>) =>
      `New pods in ${namespace} get no proxy by default: its annotation linkerd.io/inject is ${inject}`,
    why: INJECTED,
    fix: SYNC_NAMESPACE,
  },
  'pods-without-proxy': {
    severity: 'error',
    what: ({ pods, namespace, workloads }: Pods) => `${namespace} has ${pods} without a proxy: ${workloads}`,
    why: 'Their traffic is not encrypted, and servers that require a meshed client refuse them',
    fix: restart,
  },
  'proxies-not-ready': {
    severity: 'error',
    what: ({ pods, namespace, workloads }: Pods) =>
      `${namespace} has ${pods} with a proxy that is not ready: ${workloads}`,
    why: 'The pods receive no requests',
    fix: ({ kubectl, namespace, pod }: Named<'kubectl' | 'namespace' | 'pod'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} logs pod/${shellWord(pod)} -c linkerd-proxy`,
  },
  'proxies-not-ready/failing': {
    severity: 'error',
    what: ({ pods, namespace, workloads, container, reason, message }: Pods & FailingContainer) =>
      `${namespace} has ${pods} with a proxy that has not started: ${workloads}. The container ${container} fails (${reason})${message === '' ? '' : `: ${message}`}`,
    why: 'The pods receive no requests',
    fix: ({ kubectl, namespace, pod, container }: Named<'kubectl' | 'namespace' | 'pod' | 'container'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} logs pod/${shellWord(pod)} -c ${shellWord(container)} --previous; cdk8s-linkerd doctor finds the cause`,
  },
  'proxies-not-ready/waiting': {
    severity: 'error',
    what: ({ pods, namespace, workloads, reason }: Pods & Named<'reason'>) =>
      `${namespace} has ${pods} with a proxy that has not started (${reason}): ${workloads}`,
    why: 'The pods receive no requests',
    fix: ({ kubectl, namespace, pod }: Named<'kubectl' | 'namespace' | 'pod'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe pod/${shellWord(pod)}; cdk8s-linkerd doctor finds the cause`,
  },
  'proxies-starting': {
    severity: 'note',
    what: ({ pods, namespace, workloads }: Pods) =>
      `${namespace} has ${pods} with a proxy that is starting: ${workloads}`,
    why: 'A proxy that does not become ready is reported after 5 minutes',
    fix: 'wait until the proxies are ready',
  },
  'pods-with-other-roots': {
    severity: 'warning',
    what: ({ pods, workloads }: Named<'pods' | 'workloads'>) =>
      `The proxies of ${pods} started with trust roots other than the current ones: ${workloads}`,
    why: 'An old root can be removed only after these pods have restarted',
    fix: restart,
  },
  'trust-anchor-missing': {
    severity: 'error',
    what: 'The output contains a TrustAnchor, and the cluster does not',
    why: 'The trust anchor is not rotated. Once it has expired, identity issues no certificates, and the mesh stops within issuanceLifetime (a day by default)',
    fix: "check in Argo CD whether the Application of the operator's namespace is synced",
  },
  'trust-anchor-degraded': {
    severity: 'error',
    what: degradedAnchor,
    why: 'The rotation of the trust anchor may not continue until you remove the cause of this condition',
    fix: describeAnchor,
  },
  'trust-anchor-degraded/rotating': {
    severity: 'error',
    what: degradedAnchor,
    why: 'The rotation of the trust anchor continues, but you must remove the cause of this condition',
    fix: describeAnchor,
  },
  'trust-anchor-late': {
    severity: 'error',
    what: ({ slack }: Named<'slack'>) =>
      `The rotation of the trust anchor may end too late: its spare time (slack) is ${slack}`,
    why: 'If each step takes its maximum time, the old anchor expires before all pods trust the new one',
    fix: ({ kubectl }: Named<'kubectl'>) =>
      `run ${kubectl} get trustanchor linkerd -o yaml, and restart the workloads in status.laggards`,
  },
  'trust-anchor-laggards': {
    severity: 'warning',
    what: ({ pods, workloads }: Named<'pods' | 'workloads'>) =>
      `${pods} may not trust the next trust anchor or, without a rotation, the current one: ${workloads}`,
    why: 'A rotation removes the old anchor only after these pods have restarted. Without a rotation, their proxies may be unable to talk to others',
    fix: restart,
  },
  'trust-anchor-paused': {
    severity: 'warning',
    what: 'The TrustAnchor is paused',
    why: 'The operator does not rotate the trust anchor. Before the anchor expires, the operator only renews it with the same key, if this key is in the cluster',
    fix: 'remove paused from the trust anchor in your program, and synthesize again',
  },
  'trust-anchor-rotating': {
    severity: 'note',
    what: ({ phase, message }: Named<'phase' | 'message'>) =>
      `The trust anchor is being rotated, in the phase ${phase}: ${message}`,
    why: 'The mesh keeps working',
    fix: ({ kubectl }: Named<'kubectl'>) => `follow the rotation with ${kubectl} get trustanchor linkerd -w`,
  },
  'operator-behind': {
    severity: 'warning',
    what: ({ object }: Named<'object'>) => `The status of the ${object} does not describe its current spec`,
    why: 'The operator has not observed the change: it is starting, or does not run',
    fix: ({ kubectl }: Named<'kubectl'>) => `run ${kubectl} get pods -A -l app.kubernetes.io/name=linkerd-reconciler`,
  },
  'certificate-missing': {
    severity: 'error',
    what: ({ certificate }: Named<'certificate'>) => `The Certificate ${certificate} is not in the cluster`,
    why: 'Its Secret is not renewed',
    fix: 'check in Argo CD whether the Application of its namespace is synced',
  },
  'certificate-not-ready': {
    severity: 'error',
    what: ({ certificate, message }: Named<'certificate' | 'message'>) =>
      `The Certificate ${certificate} is not ready: ${message}`,
    why: 'cert-manager has not issued the requested certificate',
    fix: ({ kubectl, namespace }: Named<'kubectl' | 'namespace'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} get certificaterequests --sort-by=.metadata.creationTimestamp`,
  },
  'certificate-expired': {
    severity: 'error',
    what: ({ certificate, end }: Named<'certificate' | 'end'>) => `The certificate of ${certificate} expired on ${end}`,
    why: 'Clients refuse the certificate',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe certificate/${shellWord(name)}`,
  },
  'certificate-renewal-overdue': {
    severity: 'error',
    what: ({ certificate, due, end }: Named<'certificate' | 'due' | 'end'>) =>
      `The certificate of ${certificate} should have been renewed on ${due}; it expires on ${end}`,
    why: 'cert-manager does not run, or cannot issue the certificate',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe certificate/${shellWord(name)}`,
  },
  'trust-roots-missing': {
    severity: 'error',
    what: ({ namespace }: Named<'namespace'>) => `The namespace ${namespace} has no ConfigMap with the trust roots`,
    why: 'Pods of the control plane do not start without the ConfigMap',
    fix: ({ kubectl }: Named<'kubectl'>) => `run ${kubectl} describe bundle linkerd-identity-trust-roots`,
  },
  'trust-root-expired': {
    severity: 'warning',
    what: ({ subject, end }: Named<'subject' | 'end'>) => `The trust roots contain ${subject}, which expired on ${end}`,
    why: 'Identity refuses issuers that this root signed. Proxies ignore its expiry, and still accept certificates below it',
    fix: ({ kubectl }: Named<'kubectl'>) =>
      `run ${kubectl} describe bundle linkerd-identity-trust-roots, and remove the source that contains the root`,
  },
  'issuer-untrusted': {
    severity: 'error',
    what: ({ issuer }: Named<'issuer'>) => `No valid trust root signed the identity issuer: it was issued by ${issuer}`,
    why: 'Identity refuses such an issuer: it uses the earlier one until that expires, and then issues no certificates. If identity started with other roots, it signs certificates that new proxies refuse',
    fix: ({ kubectl }: Named<'kubectl'>) =>
      `run ${kubectl} describe bundle linkerd-identity-trust-roots; docs/operations.md explains what to do`,
  },
  'issuer-outlives-root': {
    severity: 'error',
    what: ({ subject, end, issuerEnd }: Named<'subject' | 'end' | 'issuerEnd'>) =>
      `The trust root ${subject} expires on ${end}, before the identity issuer that it signed (${issuerEnd})`,
    why: 'When the root expires, identity refuses the issuer and issues no certificates. Proxies refuse each other when theirs expire, within issuanceLifetime (a day by default)',
    fix: 'rotate the trust anchor now: docs/trust-anchor.md',
  },
  'webhook-missing': {
    severity: 'error',
    what: ({ webhook }: Named<'webhook'>) => `${webhook} is not in the cluster`,
    why: 'The API server does not call its server: without the injector, pods start without a proxy; without a validator, invalid objects are accepted',
    fix: 'check in Argo CD whether the Application of its namespace is synced',
  },
  'webhook-ca-missing': {
    severity: 'error',
    what: ({ webhook }: Named<'webhook'>) => `${webhook} has no readable CA`,
    why: "The API server does not accept the certificate of the webhook's server",
    fix: 'check that the cainjector of cert-manager runs',
  },
  'webhook-ca-expired': {
    severity: 'error',
    what: ({ webhook, end }: Named<'webhook' | 'end'>) => `The CA of ${webhook} expired on ${end}`,
    why: "The API server does not accept the certificate of the webhook's server",
    fix: 'check that the cainjector of cert-manager runs',
  },
  'webhook-ca-wrong': {
    severity: 'error',
    what: ({ webhook, certificate }: Named<'webhook' | 'certificate'>) =>
      `The CA of ${webhook} did not sign the certificate of its server, ${certificate}`,
    why: "The API server does not accept the certificate of the webhook's server",
    fix: 'check that the cainjector of cert-manager runs, and restart the server if it still uses an old certificate',
  },
  'linkerd-config-missing': {
    severity: 'error',
    what: ({ name }: Named<'name'>) => `The LinkerdConfig ${name} is not in the cluster`,
    why: 'Changes of its values have no effect, and restart no workloads',
    fix: 'check in Argo CD whether the Application of its namespace is synced',
  },
  'linkerd-config-degraded': {
    severity: 'error',
    what: ({ name, reason, message }: Named<'name' | 'reason' | 'message'>) =>
      `The LinkerdConfig ${name} is degraded (${reason}): ${message}`,
    why: 'Its values have not reached all proxies',
    fix: ({ kubectl, name }: Named<'kubectl' | 'name'>) => `run ${kubectl} describe linkerdconfig/${shellWord(name)}`,
  },
  'linkerd-config-progressing': {
    severity: 'note',
    what: ({ name, workloads }: Named<'name' | 'workloads'>) =>
      `Workloads are restarting for the LinkerdConfig ${name}: ${workloads}`,
    why: 'Pods that have not restarted yet run with the earlier configuration',
    fix: ({ kubectl, name }: Named<'kubectl' | 'name'>) =>
      `follow the restarts with ${kubectl} get linkerdconfig/${shellWord(name)} -w`,
  },
  'restarts-passed-by': {
    severity: 'warning',
    what: ({ count, workloads }: Named<'workloads'> & { readonly count: number }) =>
      `Late restarts of workloads (${count}): ${workloads}`,
    why: 'Pods of these workloads run with the earlier configuration',
    fix: ({ kubectl, name }: Named<'kubectl' | 'name'>) => `run ${kubectl} describe linkerdconfig/${shellWord(name)}`,
  },
  'restarts-by-hand': {
    severity: 'warning',
    what: ({ count, pods }: Named<'pods'> & { readonly count: number }) =>
      `Pods that follow the configuration, and that the operator cannot restart (${count}): ${pods}`,
    why: 'They keep the configuration with which they started, because they belong to no Deployment, StatefulSet, DaemonSet or Rollout',
    fix: 'delete the pods that started before the last change of the configuration, and create them again',
  },
  'link-missing': {
    severity: 'error',
    what: ({ link }: Named<'link'>) => `The Link ${link} is not in the cluster`,
    why: 'The services of the other cluster are not mirrored',
    fix: 'check in Argo CD whether the Application of its namespace is synced',
  },
  'gateway-without-address': {
    severity: 'error',
    what: ({ gateway }: Named<'gateway'>) => `The gateway ${gateway} has no address`,
    why: 'Other clusters cannot reach the services of this cluster',
    fix: ({ kubectl, namespace, name }: Named<'kubectl' | 'namespace' | 'name'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} describe service/${shellWord(name)}`,
  },
  'policy-in-audit': {
    severity: 'note',
    what: ({ namespace, servers }: Named<'namespace' | 'servers'>) =>
      `In ${namespace}, policies only report requests that they would refuse: ${servers}`,
    why: 'Requests that no policy permits are allowed',
    fix: 'check the metrics inbound_http_authz_allow_total and inbound_tcp_authz_allow_total with authz_name="audit", and then enforce the policies (docs/policy.md)',
  },
});

type Pods = Named<'pods' | 'namespace' | 'workloads'>;
type Proxies = Named<'pods' | 'release' | 'controlPlane' | 'workloads'>;
type FailingContainer = Named<'container' | 'reason' | 'message'>;
