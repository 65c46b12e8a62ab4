import { parse } from 'yaml';
import { PROXY_CONTAINER } from '../../../operator/api/names';
import { TRUST_ROOTS } from '../../../packages/anchor/trust-anchor';
import { isMap } from '../../../packages/base/values';
import { checkDepth } from '../../../packages/base/yaml-documents';
import { at, conditionsOf, listAt, MAX_NAMES, numberAt, present, textAt, timeAt } from '../status/fields';
import { LISTS, observedApplication } from '../status/lists';
import type { ObservedCondition, Time } from '../status/observation';
import type {
  Change,
  ExaminedApplication,
  ExaminedAuthorization,
  ExaminedBudget,
  ExaminedCertificate,
  ExaminedController,
  ExaminedEndpoints,
  ExaminedEvent,
  ExaminedHook,
  ExaminedInstallation,
  ExaminedIssuer,
  ExaminedItem,
  ExaminedKind,
  ExaminedLease,
  ExaminedNamespace,
  ExaminedNode,
  ExaminedPod,
  ExaminedQuota,
  ExaminedRequest,
  ExaminedServer,
  ExaminedTrustBundle,
  ExaminedWebhook,
  ExaminedWorkload,
  TroubledContainer,
} from './examination';

/** What an examination keeps of each object of its lists, by their names in `CLUSTER_LISTS`; nothing of some. */
export type ExaminedLists = {
  readonly [K in ExaminedKind]: (object: unknown, kind: string) => ExaminedItem<K> | undefined;
};

/** The lists of an examination. */
export const EXAMINED: ExaminedLists = {
  namespaces: examinedNamespace,
  nodes: examinedNode,
  pods: examinedPod,
  workloads: examinedWorkload,
  controllers: examinedController,
  budgets: examinedBudget,
  events: examinedEvent,
  quotas: examinedQuota,
  endpoints: examinedEndpoints,
  webhooks: examinedWebhook,
  policies: (object) => ({ name: nameIn(object) }),
  certificates: examinedCertificate,
  requests: examinedRequest,
  issuers: examinedIssuer,
  trustBundles: examinedTrustBundle,
  bundles: LISTS.bundles.observe,
  installed: examinedInstallation,
  leases: examinedLease,
  clocks: examinedClock,
  trustAnchors: LISTS.trustAnchors.observe,
  configs: LISTS.configs.observe,
  links: LISTS.links.observe,
  gateways: LISTS.gateways.observe,
  servers: examinedServer,
  authorizations: examinedAuthorization,
  applications: examinedApplication,
};

/** The names of the lists of an examination. */
export const EXAMINED_LISTS = Object.keys(EXAMINED) as readonly ExaminedKind[];

/** The kinds without which a part of the mesh does not work. */
export const NEEDED_RESOURCES = {
  /** Of the control plane of any release since 2.14. */
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

/** The API groups of these kinds. */
export const NEEDED_GROUPS: readonly string[] = [
  ...new Set(
    Object.values(NEEDED_RESOURCES).flatMap((names) => names.map((name) => name.slice(name.indexOf('.') + 1))),
  ),
];

function nameIn(object: unknown): string {
  return textAt(object, 'metadata', 'name') ?? '';
}

function idIn(object: unknown) {
  return { namespace: textAt(object, 'metadata', 'namespace') ?? '', name: nameIn(object) };
}

/** Returns the labels below an object's keys, of which a rule may need any. */
function labelsAt(object: unknown, ...keys: readonly string[]): Readonly<Record<string, string>> {
  const labels = at(object, ...keys, 'metadata', 'labels');
  if (!isMap(labels)) return {};
  const texts = Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts.slice(0, MAX_NAMES));
}

/** Returns who last wrote a field. */
function changeOf(object: unknown, ...path: readonly string[]): Change | undefined {
  const writers = listAt(object, 'metadata', 'managedFields').flatMap((entry) => {
    if (at(entry, 'fieldsV1', ...path.map((key) => `f:${key}`)) === undefined) return [];
    const written = timeAt(entry, 'time');
    return [{ manager: textAt(entry, 'manager') ?? '', ...(written !== undefined && { at: written }) }];
  });
  return writers.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))[0];
}

/** Returns the time and the message of a condition. */
function troubleOf(condition: ObservedCondition | undefined) {
  if (condition === undefined) return undefined;
  const { since, message, reason } = condition;
  return { message: message === '' ? reason : message, ...(since !== undefined && { since }) };
}

function examinedNamespace(object: unknown, kind: string): ExaminedNamespace | undefined {
  const observed = LISTS.namespaces.observe(object, kind);
  if (observed === undefined) return undefined;
  const since = timeAt(object, 'metadata', 'deletionTimestamp');
  const remaining = conditionsOf(object).filter(({ status }) => status === 'True');
  return {
    ...observed,
    labels: labelsAt(object),
    ...(since !== undefined && { terminating: { since, message: remaining.map(({ message }) => message).join('; ') } }),
  };
}

function examinedNode(object: unknown): ExaminedNode {
  const ready = conditionsOf(object).find(({ type }) => type === 'Ready');
  const closing = listAt(object, 'spec', 'taints').filter((taint) => at(taint, 'effect') !== 'PreferNoSchedule');
  const isCordoned = at(object, 'spec', 'unschedulable') === true;
  return present<ExaminedNode>({
    name: nameIn(object),
    isReady: ready?.status === 'True',
    readySince: ready?.since,
    isCordoned,
    taints: closing.slice(0, MAX_NAMES).flatMap((taint) => textAt(taint, 'key') ?? []),
    closed: isCordoned ? changeOf(object, 'spec', 'unschedulable') : changeOf(object, 'spec', 'taints'),
  });
}

function examinedPod(object: unknown, kind: string): ExaminedPod | undefined {
  const observed = LISTS.pods.observe(object, kind);
  if (observed === undefined) return undefined;
  const conditions = conditionsOf(object);
  const ready = conditions.find(({ type }) => type === 'Ready');
  const unscheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  const containers = ['initContainerStatuses', 'containerStatuses'].flatMap((list) =>
    listAt(object, 'status', list).slice(0, MAX_NAMES),
  );
  return present<ExaminedPod>({
    ...observed,
    labels: labelsAt(object),
    node: textAt(object, 'spec', 'nodeName'),
    isReady: ready?.status === 'True',
    readySince: ready?.since,
    unscheduled: troubleOf(unscheduled),
    troubled: containers.flatMap((one) => troubledContainer(one) ?? []),
    hasStarted: containers.some(hasStarted),
  });
}

function hasStarted(status: unknown): boolean {
  const states = [at(status, 'state'), at(status, 'lastState')];
  return states.some((state) => isMap(at(state, 'running')) || isMap(at(state, 'terminated')));
}

/** Reasons of containers that are only starting. */
const STARTING: readonly string[] = ['ContainerCreating', 'PodInitializing'];

function troubledContainer(status: unknown): TroubledContainer | undefined {
  if (at(status, 'ready') === true) return undefined;
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  const ended = ['state', 'lastState'].map((key) => at(status, key, 'terminated')).find((one) => isMap(one));
  const isEnded = at(status, 'state', 'terminated') !== undefined && numberAt(ended, 'exitCode') !== 0;
  const reason = waiting ?? (isEnded ? textAt(ended, 'reason') : undefined);
  if (reason === undefined || STARTING.includes(reason)) return undefined;
  const end =
    ended === undefined ? '' : `exit code ${numberAt(ended, 'exitCode')} (${textAt(ended, 'reason') ?? 'unknown'})`;
  return {
    name: textAt(status, 'name') ?? PROXY_CONTAINER,
    reason,
    message: end === '' ? (textAt(status, 'state', 'waiting', 'message') ?? '') : end,
    image: textAt(status, 'image') ?? '',
  };
}

function examinedWorkload(object: unknown, kind: string): ExaminedWorkload | undefined {
  const observed = LISTS.workloads.observe(object, kind);
  if (observed === undefined) return undefined;
  const refused = conditionsOf(object).find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  return present<ExaminedWorkload>({
    ...observed,
    labels: labelsAt(object),
    podLabels: labelsAt(at(object, 'spec', 'template')),
    running: numberAt(object, 'status', kind === 'Deployment' ? 'readyReplicas' : 'numberReady'),
    scaled: changeOf(object, 'spec', 'replicas'),
    refusal: troubleOf(refused),
  });
}

function examinedController(object: unknown, kind: string): ExaminedController {
  const id = { kind, ...idIn(object) };
  const wanted = (key: string) => (at(object, 'spec', key) === undefined ? 1 : numberAt(object, 'spec', key));
  const has = (key: string) => numberAt(object, 'status', key);
  if (kind !== 'Job') return { ...id, lacksPods: has('replicas') < wanted('replicas') };
  const isOver = conditionsOf(object).some(({ type, status }) => OVER.includes(type) && status === 'True');
  return { ...id, lacksPods: !isOver && has('active') < Math.min(wanted('parallelism'), wanted('completions')) };
}

/** Conditions of a Job that creates no pod any more. */
const OVER: readonly string[] = ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet', 'Suspended'];

function examinedServer(object: unknown, kind: string): ExaminedServer | undefined {
  const observed = LISTS.servers.observe(object, kind);
  const podSelector = at(object, 'spec', 'podSelector');
  return observed && { ...observed, ...(podSelector !== undefined && { podSelector }) };
}

/** A route or a namespace may stand for any Server, and so may a selector. */
function examinedAuthorization(object: unknown, kind: string): ExaminedAuthorization {
  const { namespace } = idIn(object);
  const isOfServer = textAt(object, 'spec', 'targetRef', 'kind') === 'Server';
  const server =
    kind === 'ServerAuthorization'
      ? textAt(object, 'spec', 'server', 'name')
      : isOfServer
        ? textAt(object, 'spec', 'targetRef', 'name')
        : undefined;
  return { namespace, ...(server !== undefined && { server }) };
}

function examinedEvent(object: unknown): ExaminedEvent {
  const last =
    timeAt(object, 'series', 'lastObservedTime') ?? timeAt(object, 'lastTimestamp') ?? timeAt(object, 'eventTime');
  return present<ExaminedEvent>({
    namespace: textAt(object, 'involvedObject', 'namespace') ?? '',
    object: `${textAt(object, 'involvedObject', 'kind') ?? ''}/${textAt(object, 'involvedObject', 'name') ?? ''}`,
    reason: textAt(object, 'reason') ?? '',
    message: textAt(object, 'message') ?? '',
    first: timeAt(object, 'firstTimestamp') ?? timeAt(object, 'eventTime'),
    last,
  });
}

function examinedQuota(object: unknown): ExaminedQuota {
  const hard = at(object, 'status', 'hard') ?? at(object, 'spec', 'hard');
  const exhausted = isMap(hard)
    ? Object.keys(hard).filter((key) => textAt(hard, key) === '0' || textAt(hard, key) === usedOf(object, key))
    : [];
  return present<ExaminedQuota>({
    ...idIn(object),
    exhausted: exhausted.slice(0, MAX_NAMES).map((key) => `${key} ${textAt(hard, key) ?? ''}`),
    created: changeOf(object, 'spec', 'hard')?.at ?? timeAt(object, 'metadata', 'creationTimestamp'),
  });
}

function usedOf(quota: unknown, key: string): string | undefined {
  return textAt(quota, 'status', 'used', key);
}

function examinedEndpoints(object: unknown): ExaminedEndpoints {
  return {
    namespace: idIn(object).namespace,
    service: textAt(object, 'metadata', 'labels', 'kubernetes.io/service-name') ?? '',
    ready: listAt(object, 'endpoints').filter((one) => at(one, 'conditions', 'ready') !== false).length,
  };
}

function examinedWebhook(object: unknown, kind: string): ExaminedWebhook | undefined {
  const observed = LISTS.webhooks.observe(object, kind);
  if (observed === undefined) return undefined;
  const unavailable = conditionsOf(object).find(({ type, status }) => type === 'Available' && status === 'False');
  return present<ExaminedWebhook>({
    ...observed,
    hooks: listAt(object, 'webhooks').slice(0, MAX_NAMES).map(examinedHook),
    changed: changeOf(object, 'webhooks'),
    unavailable: kind === 'APIService' ? troubleOf(unavailable) : undefined,
  });
}

function examinedHook(hook: unknown): ExaminedHook {
  const service = at(hook, 'clientConfig', 'service');
  const covers = (rule: unknown, key: string, value: string) =>
    listAt(rule, key).some((one) => one === value || one === '*');
  return present<ExaminedHook>({
    name: textAt(hook, 'name') ?? '',
    service:
      service === undefined ? undefined : `${textAt(service, 'namespace') ?? ''}/${textAt(service, 'name') ?? ''}`,
    isFailing: textAt(hook, 'failurePolicy') !== 'Ignore',
    catchesPods: listAt(hook, 'rules').some(
      (rule) =>
        covers(rule, 'apiGroups', '') && covers(rule, 'resources', 'pods') && covers(rule, 'operations', 'CREATE'),
    ),
    namespaceSelector: at(hook, 'namespaceSelector'),
  });
}

function examinedCertificate(object: unknown, kind: string): ExaminedCertificate | undefined {
  const observed = LISTS.certificates.observe(object, kind);
  if (observed === undefined) return undefined;
  const issuerRef = at(object, 'spec', 'issuerRef');
  const [group = 'cert-manager.io', issuerKind = 'Issuer', name = ''] = ['group', 'kind', 'name'].map((key) =>
    textAt(issuerRef, key),
  );
  const issuer = issuerKind === 'Issuer' ? `Issuer ${observed.namespace}/${name}` : `${issuerKind} ${name}`;
  return present<ExaminedCertificate>({
    ...observed,
    secretName: textAt(object, 'spec', 'secretName') ?? '',
    issuer: group === 'cert-manager.io' || group === '' ? issuer : undefined,
  });
}

function examinedRequest(object: unknown, kind: string): ExaminedRequest | undefined {
  const issued = LISTS.requests.observe(object, kind);
  const conditions = conditionsOf(object);
  const refused =
    conditions.find(({ type, status }) => ['Denied', 'InvalidRequest'].includes(type) && status === 'True') ??
    conditions.find(({ type, reason }) => type === 'Ready' && ['Failed', 'Denied'].includes(reason));
  const certificate = textAt(object, 'metadata', 'annotations', 'cert-manager.io/certificate-name');
  if (issued !== undefined || refused === undefined || certificate === undefined) return issued;
  const revision = Number(textAt(object, 'metadata', 'annotations', 'cert-manager.io/certificate-revision'));
  return {
    ...idIn(object),
    certificate,
    revision: Number.isSafeInteger(revision) ? revision : 0,
    chain: '',
    refusal: { reason: refused.reason, message: '', ...troubleOf(refused) },
  };
}

function examinedIssuer(object: unknown, kind: string): ExaminedIssuer {
  const { namespace, name } = idIn(object);
  return present<ExaminedIssuer>({
    issuer: kind === 'Issuer' ? `Issuer ${namespace}/${name}` : `${kind} ${name}`,
    ready: conditionsOf(object).find(({ type }) => type === 'Ready'),
    secretName: textAt(object, 'spec', 'ca', 'secretName'),
  });
}

function examinedTrustBundle(object: unknown): ExaminedTrustBundle | undefined {
  if (nameIn(object) !== TRUST_ROOTS) return undefined;
  return present<ExaminedTrustBundle>({
    name: nameIn(object),
    synced: conditionsOf(object).find(({ type }) => type === 'Synced'),
  });
}

/** The time at which an API server last renewed its Lease, by its own clock. */
function examinedClock(object: unknown): Time | undefined {
  return timeAt(object, 'spec', 'renewTime');
}

function examinedBudget(object: unknown): ExaminedBudget {
  return present<ExaminedBudget>({
    ...idIn(object),
    selector: at(object, 'spec', 'selector'),
    allowed: numberAt(object, 'status', 'disruptionsAllowed'),
    healthy: numberAt(object, 'status', 'currentHealthy'),
    wanted: numberAt(object, 'status', 'desiredHealthy'),
    expected: numberAt(object, 'status', 'expectedPods'),
    since: conditionsOf(object).find(({ type }) => type === 'DisruptionAllowed')?.since,
  });
}

function examinedLease(object: unknown): ExaminedLease {
  return present<ExaminedLease>({
    ...idIn(object),
    holder: textAt(object, 'spec', 'holderIdentity') ?? '',
    renewed: timeAt(object, 'spec', 'renewTime'),
    durationSeconds: numberAt(object, 'spec', 'leaseDurationSeconds'),
  });
}

/** Maximum length of the values of an installation that are read. */
const MAX_VALUES = 262_144;

function examinedInstallation(object: unknown): ExaminedInstallation {
  const text = at(object, 'data', 'values');
  const { namespace } = idIn(object);
  if (typeof text !== 'string' || text.length > MAX_VALUES) return { namespace };
  try {
    checkDepth(text);
    // A warning of the process would quote the text.
    const issuer = at(parse(text, { logLevel: 'error' }), 'identity', 'issuer');
    const isOwn = at(issuer, 'scheme') !== 'kubernetes.io/tls' && at(issuer, 'externalCA') !== true;
    const pem = at(issuer, 'tls', 'crtPEM');
    return { namespace, ...(isOwn && typeof pem === 'string' && pem !== '' && { issuer: pem }) };
  } catch {
    return { namespace };
  }
}

function examinedApplication(object: unknown): ExaminedApplication {
  const { name, sync, failure, errors } = observedApplication(object);
  const automated = at(object, 'spec', 'syncPolicy', 'automated');
  const places = listAt(object, 'status', 'resources').flatMap((one) => textAt(one, 'namespace') ?? []);
  return present<ExaminedApplication>({
    name,
    sync,
    failure,
    error: errors[0],
    isAutomated: isMap(automated) && automated.enabled !== false,
    namespaces: [...new Set([textAt(object, 'spec', 'destination', 'namespace') ?? '', ...places])].slice(0, MAX_NAMES),
  });
}
