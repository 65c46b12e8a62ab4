import { TRUST_ROOTS } from '#anchor/trust-anchor';
import { grouped } from '#base/grouped';
import { CONFIG_GROUP, LEASE_NAME } from '#operator/api/names';
import { observeApplication, observeApplicationSet } from './applications';
import {
  observeBundle,
  observeCertificate,
  observeInstallation,
  observeIssuer,
  observeRequest,
  observeTrustBundle,
  observeWebhook,
} from './certificates';
import { idIn } from './fields';
import {
  observeAuthorization,
  observeClock,
  observeConfig,
  observeGateway,
  observeLease,
  observeServer,
  observeTrustAnchor,
} from './mesh';
import { observePod } from './pods';
import {
  observeBudget,
  observeController,
  observeEndpoints,
  observeEvent,
  observeNamespace,
  observeNode,
  observeQuota,
  observeWorkload,
} from './workloads';

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

type Observe<T> = (object: unknown, kind: string) => T | undefined;

/** A list of a live cluster. */
export interface ClusterList<T = unknown> {
  readonly observe: Observe<T>;
  readonly resources: readonly ListedResource[];
  /** Maximum number of objects of one page. */
  readonly page: number;
}

/** Number of objects on a page of a list. */
export const PAGE = 250;

/** Applications and ApplicationSets are large: their status lists all their objects. */
const LARGE_PAGE = 25;

/** Lease of the controller of cert-manager. */
export const CERT_MANAGER_LEASE = 'cert-manager-controller';

const LINKERD_CONFIG = 'linkerd-config';

const LEASE = resource('coordination.k8s.io', 'leases', 'Lease');

/**
 * The lists that commands read from a live cluster, and the parts of each object that they keep. Each command reads
 * some of the lists. No list contains Secrets.
 */
export const CLUSTER_LISTS = {
  namespaces: list(observeNamespace, core('namespaces', 'Namespace')),
  nodes: list(observeNode, core('nodes', 'Node')),
  pods: list(observePod, core('pods', 'Pod')),
  workloads: list(
    observeWorkload,
    resource('apps', 'deployments', 'Deployment'),
    resource('apps', 'daemonsets', 'DaemonSet'),
  ),
  /** Workloads that do not report refused pods in their status. */
  controllers: list(
    observeController,
    resource('apps', 'statefulsets', 'StatefulSet'),
    resource('batch', 'jobs', 'Job'),
  ),
  budgets: list(observeBudget, resource('policy', 'poddisruptionbudgets', 'PodDisruptionBudget')),
  events: list(
    observeEvent,
    ...['FailedCreate', 'FailedCreatePodSandBox', 'FailedMount', 'IssuerUpdateSkipped', 'IssuerValidationFailed'].map(
      (reason) => ({
        ...core('events', 'Event'),
        fieldSelector: `reason=${reason}`,
      }),
    ),
  ),
  quotas: list(observeQuota, core('resourcequotas', 'ResourceQuota')),
  endpoints: list(observeEndpoints, resource('discovery.k8s.io', 'endpointslices', 'EndpointSlice')),
  webhooks: list(
    observeWebhook,
    resource('admissionregistration.k8s.io', 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'),
    resource('admissionregistration.k8s.io', 'validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'),
    resource('apiregistration.k8s.io', 'apiservices', 'APIService'),
  ),
  policies: list(
    idIn,
    resource('admissionregistration.k8s.io', 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy'),
  ),
  certificates: list(observeCertificate, resource('cert-manager.io', 'certificates', 'Certificate')),
  requests: list(observeRequest, resource('cert-manager.io', 'certificaterequests', 'CertificateRequest')),
  issuers: list(
    observeIssuer,
    resource('cert-manager.io', 'issuers', 'Issuer'),
    resource('cert-manager.io', 'clusterissuers', 'ClusterIssuer'),
  ),
  trustBundles: list(observeTrustBundle, resource('trust.cert-manager.io', 'bundles', 'Bundle')),
  bundles: list(observeBundle, { ...core('configmaps', 'ConfigMap'), fieldSelector: `metadata.name=${TRUST_ROOTS}` }),
  installed: list(observeInstallation, {
    ...core('configmaps', 'ConfigMap'),
    fieldSelector: `metadata.name=${LINKERD_CONFIG}`,
  }),
  leases: list(
    observeLease,
    ...[LEASE_NAME, CERT_MANAGER_LEASE].map((name) => ({ ...LEASE, fieldSelector: `metadata.name=${name}` })),
  ),
  // Each API server renews its own Lease every ten seconds.
  clocks: list(observeClock, { ...LEASE, labelSelector: 'apiserver.kubernetes.io/identity=kube-apiserver' }),
  trustAnchors: list(observeTrustAnchor, resource(CONFIG_GROUP, 'trustanchors', 'TrustAnchor')),
  configs: list(observeConfig, resource(CONFIG_GROUP, 'linkerdconfigs', 'LinkerdConfig')),
  links: list(idIn, resource('multicluster.linkerd.io', 'links', 'Link')),
  gateways: list(observeGateway, {
    ...core('services', 'Service'),
    labelSelector: 'linkerd.io/extension=multicluster',
  }),
  servers: list(observeServer, resource('policy.linkerd.io', 'servers', 'Server')),
  authorizations: list(
    observeAuthorization,
    resource('policy.linkerd.io', 'authorizationpolicies', 'AuthorizationPolicy'),
    resource('policy.linkerd.io', 'serverauthorizations', 'ServerAuthorization'),
  ),
  applications: {
    ...list(observeApplication, resource('argoproj.io', 'applications', 'Application')),
    page: LARGE_PAGE,
  },
  applicationSets: {
    ...list(observeApplicationSet, resource('argoproj.io', 'applicationsets', 'ApplicationSet')),
    page: LARGE_PAGE,
  },
} as const satisfies Readonly<Record<string, ClusterList>>;

/** The name of a list. */
export type ClusterListName = keyof typeof CLUSTER_LISTS;

/** The lists that `status` reads from each cluster. */
export const STATUS_LISTS = [
  'namespaces',
  'pods',
  'workloads',
  'certificates',
  'requests',
  'webhooks',
  'bundles',
  'trustAnchors',
  'configs',
  'links',
  'gateways',
  'servers',
] as const satisfies readonly ClusterListName[];

/** The lists in which `status` keeps only objects in namespaces of the mesh's own parts. */
export const MESH_LISTS: ReadonlySet<ClusterListName> = new Set(['workloads', 'certificates', 'requests', 'bundles']);

/** The lists that `status` reads from the cluster of Argo CD. */
export const ARGOCD_LISTS = ['applications', 'applicationSets'] as const satisfies readonly ClusterListName[];

type DoctorList = Exclude<ClusterListName, 'applicationSets'>;

/** The lists that doctor reads. */
export const DOCTOR_LISTS = (Object.keys(CLUSTER_LISTS) as ClusterListName[]).filter(
  (name): name is DoctorList => name !== 'applicationSets',
);

/** The resources that each part of the mesh needs. */
export const NEEDED_RESOURCES = {
  /** For the control plane of any release since 2.14. */
  linkerd: [
    'authorizationpolicies.policy.linkerd.io',
    'httproutes.policy.linkerd.io',
    'meshtlsauthentications.policy.linkerd.io',
    'networkauthentications.policy.linkerd.io',
    'servers.policy.linkerd.io',
    'serviceprofiles.linkerd.io',
  ],
  'cert-manager': [
    'certificaterequests.cert-manager.io',
    'certificates.cert-manager.io',
    'clusterissuers.cert-manager.io',
    'issuers.cert-manager.io',
  ],
  'trust-manager': ['bundles.trust.cert-manager.io'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The API groups of the needed resources. */
export const NEEDED_GROUPS: readonly string[] = [
  ...new Set(
    Object.values(NEEDED_RESOURCES).flatMap((names) => names.map((name) => name.slice(name.indexOf('.') + 1))),
  ),
];

/** The result of reading a list. */
export type Reading<T> =
  | {
      readonly is: 'read';
      readonly items: readonly T[];
      /** There are more: reading stopped at the limit of pages. */
      readonly truncated?: true;
    }
  /** The cluster does not have the kind, or the list was not requested. */
  | { readonly is: 'absent' }
  | { readonly is: 'forbidden' }
  | { readonly is: 'failed'; readonly reason: string };

/** The observed parts of an object in a list. */
export type ObservedItem<K extends ClusterListName> =
  (typeof CLUSTER_LISTS)[K] extends ClusterList<infer T> ? T : never;

type ObservedLists = { readonly [K in ClusterListName]: Reading<ObservedItem<K>> };

/** The observed state of one cluster at one time. */
export interface Observation extends ObservedLists {
  /** Why nothing could be read. The lists are absent then. */
  readonly unreachable?: string;
  /** The resources of the needed API groups: `servers.policy.linkerd.io`. */
  readonly resources: Reading<string>;
  /** The success rate of meshed requests, or why it is unknown; absent if the ring requires none. */
  readonly successRate?: number | { readonly unknown: string };
  /** Requests and connections of the last hour that only an audit policy permitted, by namespace; absent if unknown. */
  readonly audited?: ReadonlyMap<string, number>;
}

/** Some lists of an observation. */
export type ObservationOf<K extends ClusterListName> = Pick<Observation, K | 'unreachable'>;

export type StatusObservation = ObservationOf<(typeof STATUS_LISTS)[number]> &
  Pick<Observation, 'successRate' | 'audited'>;

export type DoctorObservation = ObservationOf<DoctorList> & Pick<Observation, 'resources'>;

/** Whether a list is complete: an object that it lacks is not in the cluster. */
export function isWhole<T>(reading: Reading<T>): boolean {
  return reading.is === 'absent' || (reading.is === 'read' && reading.truncated !== true);
}

/** Returns the objects of a list; undefined if it could not be read. */
export function itemsOf<T>(reading: Reading<T>): readonly T[] | undefined {
  return reading.is === 'read' ? reading.items : undefined;
}

function list<T>(observe: Observe<T>, ...resources: readonly ListedResource[]): ClusterList<T> {
  return { observe, resources, page: PAGE };
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

interface ReadingRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Returns the rules of a ClusterRole that permits only reading these lists. */
export function readingRules(names: readonly ClusterListName[]): readonly ReadingRule[] {
  const all = names.flatMap((one): readonly ListedResource[] => CLUSTER_LISTS[one].resources);
  return [...grouped(all.map((one) => [one.group, one.resource] as const))].map(([group, resources]) => ({
    apiGroups: [group],
    resources: [...new Set(resources)],
    verbs: ['list'],
  }));
}
