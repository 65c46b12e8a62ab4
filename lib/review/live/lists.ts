import { CONFIG_GROUP, LEASE_NAME } from '../../../operator/api/names';
import { TRUST_ROOTS } from '../../../packages/anchor/trust-anchor';

/** A resource to list, in the whole cluster or by name. */
export interface ListedResource {
  /** Empty for the core group. */
  readonly group: string;
  /** Plural, in lower case. */
  readonly resource: string;
  readonly kind: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** A list of a live cluster. */
export interface ClusterList {
  readonly resources: readonly ListedResource[];
  /** Maximum number of objects of one page. */
  readonly page: number;
}

/** Number of objects of a page, if they are not large. */
export const PAGE = 250;

/** Number of Applications of a page, and of ApplicationSets: each lists all that it has in its status. */
const LARGE_PAGE = 25;

/** Lease of the controller of cert-manager. */
export const CERT_MANAGER_LEASE = 'cert-manager-controller';

/** The ConfigMap with the values of an installation. */
const LINKERD_CONFIG = 'linkerd-config';

const LEASE = resource('coordination.k8s.io', 'leases', 'Lease');

/** Everything that commands read of a live cluster; each of them takes some of it. None of the lists is of Secrets. */
export const CLUSTER_LISTS = {
  namespaces: list(core('namespaces', 'Namespace')),
  nodes: list(core('nodes', 'Node')),
  pods: list(core('pods', 'Pod')),
  workloads: list(resource('apps', 'deployments', 'Deployment'), resource('apps', 'daemonsets', 'DaemonSet')),
  /** What creates pods without saying in its status that they are refused. */
  controllers: list(resource('apps', 'statefulsets', 'StatefulSet'), resource('batch', 'jobs', 'Job')),
  budgets: list(resource('policy', 'poddisruptionbudgets', 'PodDisruptionBudget')),
  events: list(
    ...['FailedCreate', 'FailedMount', 'IssuerUpdateSkipped', 'IssuerValidationFailed'].map((reason) => ({
      ...core('events', 'Event'),
      fieldSelector: `reason=${reason}`,
    })),
  ),
  quotas: list(core('resourcequotas', 'ResourceQuota')),
  endpoints: list(resource('discovery.k8s.io', 'endpointslices', 'EndpointSlice')),
  webhooks: list(
    resource('admissionregistration.k8s.io', 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'),
    resource('admissionregistration.k8s.io', 'validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'),
    resource('apiregistration.k8s.io', 'apiservices', 'APIService'),
  ),
  policies: list(resource('admissionregistration.k8s.io', 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy')),
  certificates: list(resource('cert-manager.io', 'certificates', 'Certificate')),
  requests: list(resource('cert-manager.io', 'certificaterequests', 'CertificateRequest')),
  issuers: list(
    resource('cert-manager.io', 'issuers', 'Issuer'),
    resource('cert-manager.io', 'clusterissuers', 'ClusterIssuer'),
  ),
  trustBundles: list(resource('trust.cert-manager.io', 'bundles', 'Bundle')),
  bundles: list({ ...core('configmaps', 'ConfigMap'), fieldSelector: `metadata.name=${TRUST_ROOTS}` }),
  installed: list({ ...core('configmaps', 'ConfigMap'), fieldSelector: `metadata.name=${LINKERD_CONFIG}` }),
  leases: list(
    ...[LEASE_NAME, CERT_MANAGER_LEASE].map((name) => ({ ...LEASE, fieldSelector: `metadata.name=${name}` })),
  ),
  // Each API server renews its own every ten seconds.
  clocks: list({ ...LEASE, labelSelector: 'apiserver.kubernetes.io/identity=kube-apiserver' }),
  trustAnchors: list(resource(CONFIG_GROUP, 'trustanchors', 'TrustAnchor')),
  configs: list(resource(CONFIG_GROUP, 'linkerdconfigs', 'LinkerdConfig')),
  links: list(resource('multicluster.linkerd.io', 'links', 'Link')),
  gateways: list({ ...core('services', 'Service'), labelSelector: 'linkerd.io/extension=multicluster' }),
  servers: list(resource('policy.linkerd.io', 'servers', 'Server')),
  authorizations: list(
    resource('policy.linkerd.io', 'authorizationpolicies', 'AuthorizationPolicy'),
    resource('policy.linkerd.io', 'serverauthorizations', 'ServerAuthorization'),
  ),
  applications: { ...list(resource('argoproj.io', 'applications', 'Application')), page: LARGE_PAGE },
  applicationSets: { ...list(resource('argoproj.io', 'applicationsets', 'ApplicationSet')), page: LARGE_PAGE },
} as const satisfies Readonly<Record<string, ClusterList>>;

/** The name of a list. */
export type ClusterListName = keyof typeof CLUSTER_LISTS;

function list(...resources: readonly ListedResource[]): ClusterList {
  return { resources, page: PAGE };
}

function resource(group: string, name: string, kind: string): ListedResource {
  return { group, resource: name, kind };
}

function core(name: string, kind: string): ListedResource {
  return resource('', name, kind);
}

/** Returns the resources of a list, each once. */
export function resourcesIn(name: ClusterListName): readonly string[] {
  return [...new Set(CLUSTER_LISTS[name].resources.map((one) => one.resource))];
}

/** What a Role permits. */
interface ReadingRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Returns the rules of a ClusterRole that permits to read some lists, and nothing else. */
export function readingRules(names: readonly ClusterListName[]): readonly ReadingRule[] {
  const byGroup = new Map<string, Set<string>>();
  for (const { group, resource: name } of names.flatMap(
    (one): readonly ListedResource[] => CLUSTER_LISTS[one].resources,
  )) {
    const others = byGroup.get(group);
    if (others === undefined) byGroup.set(group, new Set([name]));
    else others.add(name);
  }
  return [...byGroup].map(([group, resources]) => ({ apiGroups: [group], resources: [...resources], verbs: ['list'] }));
}
