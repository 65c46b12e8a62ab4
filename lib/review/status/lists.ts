import { PROXY_CONTAINER } from '../../../operator/api/names';
import { TRUST_ROOTS_KEY } from '../../../packages/anchor/trust-anchor';
import {
  ADMISSION_WEBHOOKS,
  CONTROL_PLANE_COMPONENT,
  DEFAULT_INBOUND_POLICY,
  INJECT,
  PROXY_VERSION_INJECTED,
  TRUST_ROOT_SHA256,
} from '../../linkerd/annotations';
import type { ClusterListName } from '../live/lists';
import { at, conditionsOf, imageTags, listAt, MAX_NAMES, numberAt, present, tagOf, textAt, timeAt } from './fields';
import type {
  ObservedApplication,
  ObservedApplicationSet,
  ObservedBundle,
  ObservedCertificate,
  ObservedConfig,
  ObservedGateway,
  ObservedItem,
  ObservedKind,
  ObservedName,
  ObservedNamespace,
  ObservedOperated,
  ObservedPod,
  ObservedProxy,
  ObservedRequest,
  ObservedServer,
  ObservedTrustAnchor,
  ObservedWebhook,
  ObservedWorkload,
} from './observation';

/** How a status reads its lists, by their names in `CLUSTER_LISTS`. */
export type Lists = {
  readonly [K in ObservedKind]: {
    /** Only objects in the namespaces of the mesh's own parts are kept. */
    readonly ofMesh?: true;
    /** Returns what is kept of an object; nothing for one that no rule needs. */
    readonly observe: (object: unknown, kind: string) => ObservedItem<K> | undefined;
  };
};

/** The lists of an observation. */
export const LISTS: Lists = {
  namespaces: { observe: observedNamespace },
  pods: { observe: observedPod },
  workloads: { ofMesh: true, observe: observedWorkload },
  certificates: { ofMesh: true, observe: observedCertificate },
  requests: { ofMesh: true, observe: observedRequest },
  webhooks: { observe: observedWebhook },
  bundles: { ofMesh: true, observe: observedBundle },
  trustAnchors: { observe: observedTrustAnchor },
  configs: { observe: observedConfig },
  links: { observe: nameOf },
  gateways: { observe: observedGateway },
  servers: { observe: observedServer },
};

/** The lists that a status reads: those of an observation, and those of Argo CD in its cluster. */
export const STATUS_LISTS: readonly ClusterListName[] = [
  ...(Object.keys(LISTS) as ObservedKind[]),
  'applications',
  'applicationSets',
];

function nameOf(object: unknown): ObservedName {
  return {
    namespace: textAt(object, 'metadata', 'namespace') ?? '',
    name: textAt(object, 'metadata', 'name') ?? '',
  };
}

function annotationOf(object: unknown, key: string): string | undefined {
  return textAt(object, 'metadata', 'annotations', key);
}

function observedNamespace(object: unknown): ObservedNamespace {
  return present<ObservedNamespace>({
    name: nameOf(object).name,
    inject: annotationOf(object, INJECT),
    isExempt: textAt(object, 'metadata', 'labels', ADMISSION_WEBHOOKS) === 'disabled',
    inboundPolicy: annotationOf(object, DEFAULT_INBOUND_POLICY),
  });
}

function observedPod(object: unknown): ObservedPod {
  const phase = textAt(object, 'status', 'phase');
  return present<ObservedPod>({
    ...nameOf(object),
    workload: workloadOf(object),
    created: timeAt(object, 'metadata', 'creationTimestamp'),
    isOver: phase === 'Succeeded' || phase === 'Failed' || at(object, 'metadata', 'deletionTimestamp') !== undefined,
    isHostNetwork: at(object, 'spec', 'hostNetwork') === true,
    inject: annotationOf(object, INJECT),
    component: textAt(object, 'metadata', 'labels', CONTROL_PLANE_COMPONENT),
    running: runningIn(object),
    proxy: observedProxy(object),
  });
}

/** Returns the tag of what runs in a pod of the control plane: its template may be newer. */
function runningIn(object: unknown): string | undefined {
  const component = textAt(object, 'metadata', 'labels', CONTROL_PLANE_COMPONENT);
  if (component === undefined) return undefined;
  const isComponent = (one: unknown) => at(one, 'name') === component;
  const status = listAt(object, 'status', 'containerStatuses').find(isComponent);
  const container = listAt(object, 'spec', 'containers').find(isComponent);
  return at(status, 'ready') === true ? tagOf(textAt(container, 'image')) : undefined;
}

/** Returns the controller of a pod. The ReplicaSet of a Deployment is named after it and the hash of its template. */
function workloadOf(object: unknown): string {
  const owner = listAt(object, 'metadata', 'ownerReferences').find((one) => at(one, 'controller') === true);
  if (owner === undefined) return `Pod/${nameOf(object).name}`;
  const [kind, name] = [textAt(owner, 'kind') ?? '', textAt(owner, 'name') ?? ''];
  const hash = textAt(object, 'metadata', 'labels', 'pod-template-hash');
  if (kind === 'ReplicaSet' && hash !== undefined && name.endsWith(`-${hash}`)) {
    return `Deployment/${name.slice(0, -hash.length - 1)}`;
  }
  return `${kind}/${name}`;
}

function observedProxy(object: unknown): ObservedProxy | undefined {
  const isProxy = (one: unknown) => at(one, 'name') === PROXY_CONTAINER;
  // A native sidecar is an init container.
  const container = ['containers', 'initContainers'].flatMap((list) => listAt(object, 'spec', list)).find(isProxy);
  if (container === undefined) return undefined;
  const status = ['containerStatuses', 'initContainerStatuses']
    .flatMap((list) => listAt(object, 'status', list))
    .find(isProxy);
  return present<ObservedProxy>({
    release: annotationOf(object, PROXY_VERSION_INJECTED) ?? tagOf(textAt(container, 'image')),
    roots: annotationOf(object, TRUST_ROOT_SHA256),
    isReady: at(status, 'ready') === true,
    ended: endIn(at(status, 'lastState', 'terminated')),
  });
}

function endIn(terminated: unknown): ObservedProxy['ended'] {
  const finished = timeAt(terminated, 'finishedAt');
  return finished === undefined ? undefined : { at: finished, reason: textAt(terminated, 'reason') ?? 'unknown' };
}

function observedWorkload(object: unknown, kind: string): ObservedWorkload {
  const isDeployment = kind === 'Deployment';
  const available = conditionsOf(object).find(({ type, status }) => type === 'Available' && status !== 'True');
  const count = (key: string) => numberAt(object, 'status', key);
  const isObserved = count('observedGeneration') >= numberAt(object, 'metadata', 'generation');
  const ready = isDeployment
    ? Math.min(count('updatedReplicas'), count('readyReplicas'))
    : Math.min(count('updatedNumberScheduled'), count('numberReady'));
  return present<ObservedWorkload>({
    ...nameOf(object),
    kind,
    wanted: isDeployment ? numberAt(object, 'spec', 'replicas') : numberAt(object, 'status', 'desiredNumberScheduled'),
    // Pods of an earlier template may be all that is ready.
    ready: isObserved ? ready : 0,
    since: available?.since,
    images: imageTags(object),
  });
}

function observedCertificate(object: unknown): ObservedCertificate {
  const ready = conditionsOf(object).find(({ type }) => type === 'Ready');
  const revision = at(object, 'status', 'revision');
  return present<ObservedCertificate>({
    ...nameOf(object),
    isReady: ready && ready.status === 'True',
    message: ready?.status === 'True' ? undefined : ready?.message,
    since: ready?.since,
    notAfter: timeAt(object, 'status', 'notAfter'),
    renewalTime: timeAt(object, 'status', 'renewalTime'),
    revision: typeof revision === 'number' ? revision : undefined,
  });
}

/** Maximum length of PEM that is kept. */
const MAX_PEM = 262_144;

function observedRequest(object: unknown): ObservedRequest | undefined {
  const certificate = annotationOf(object, 'cert-manager.io/certificate-name');
  const revision = Number(annotationOf(object, 'cert-manager.io/certificate-revision'));
  const chain = decoded(at(object, 'status', 'certificate'));
  if (certificate === undefined || chain === '' || !Number.isSafeInteger(revision)) return undefined;
  return { ...nameOf(object), certificate, revision, chain };
}

function observedWebhook(object: unknown, kind: string): ObservedWebhook {
  const bundles =
    kind === 'APIService'
      ? [at(object, 'spec', 'caBundle')]
      : listAt(object, 'webhooks').map((one) => at(one, 'clientConfig', 'caBundle'));
  return present<ObservedWebhook>({
    kind,
    name: nameOf(object).name,
    caFrom: annotationOf(object, 'cert-manager.io/inject-ca-from'),
    caBundles: bundles.map(decoded),
  });
}

function decoded(base64: unknown): string {
  return typeof base64 === 'string' ? Buffer.from(base64.slice(0, MAX_PEM), 'base64').toString('latin1') : '';
}

function observedBundle(object: unknown): ObservedBundle {
  const roots = at(object, 'data', TRUST_ROOTS_KEY);
  return present<ObservedBundle>({
    ...nameOf(object),
    roots: typeof roots === 'string' && roots.length <= MAX_PEM ? roots : undefined,
  });
}

function observedOperated(object: unknown): ObservedOperated {
  const observed = at(object, 'status', 'observedGeneration');
  return {
    name: nameOf(object).name,
    conditions: conditionsOf(object),
    isOutdated: observed !== at(object, 'metadata', 'generation'),
  };
}

function observedTrustAnchor(object: unknown): ObservedTrustAnchor {
  const workloads = listAt(object, 'status', 'laggards', 'workloads').slice(0, MAX_NAMES);
  const times = workloads.flatMap((one) => timeAt(one, 'since') ?? []);
  return present<ObservedTrustAnchor>({
    ...observedOperated(object),
    phase: textAt(object, 'status', 'phase'),
    isPaused: at(object, 'spec', 'paused') === true,
    slack: textAt(object, 'status', 'slack'),
    nextRotation: timeAt(object, 'status', 'nextRotation'),
    laggards: {
      pods: numberAt(object, 'status', 'laggards', 'pods'),
      workloads: names(workloads, 'workload'),
      ...(times.length > 0 && { since: Math.min(...times) }),
    },
  });
}

function observedConfig(object: unknown): ObservedConfig {
  return {
    ...observedOperated(object),
    inProgress: names(listAt(object, 'status', 'inProgress'), 'workload'),
    unmanagedPods: {
      count: numberAt(object, 'status', 'unmanagedPods', 'count'),
      pods: names(listAt(object, 'status', 'unmanagedPods', 'pods')),
    },
    passedBy: {
      count: numberAt(object, 'status', 'passedBy', 'count'),
      workloads: names(listAt(object, 'status', 'passedBy', 'restarts'), 'workload'),
    },
  };
}

function names(list: readonly unknown[], ...keys: readonly string[]): readonly string[] {
  return list.slice(0, MAX_NAMES).flatMap((one) => textAt(one, ...keys) ?? []);
}

function observedGateway(object: unknown): ObservedGateway | undefined {
  if (textAt(object, 'spec', 'type') !== 'LoadBalancer') return undefined;
  const ingress = listAt(object, 'status', 'loadBalancer', 'ingress').slice(0, MAX_NAMES);
  return present<ObservedGateway>({
    ...nameOf(object),
    addresses: ingress.flatMap((one) => textAt(one, 'ip') ?? textAt(one, 'hostname') ?? []),
    created: timeAt(object, 'metadata', 'creationTimestamp'),
  });
}

function observedServer(object: unknown): ObservedServer {
  return present<ObservedServer>({ ...nameOf(object), accessPolicy: textAt(object, 'spec', 'accessPolicy') });
}

/** Returns what is kept of an Application. */
export function observedApplication(object: unknown): ObservedApplication {
  const bad = listAt(object, 'status', 'resources').filter(isBad).slice(0, MAX_NAMES);
  return present<ObservedApplication>({
    name: nameOf(object).name,
    project: textAt(object, 'spec', 'project') ?? '',
    repoUrl: textAt(object, 'spec', 'source', 'repoURL') ?? '',
    destination: destinationOf(at(object, 'spec', 'destination')) ?? '',
    path: textAt(object, 'spec', 'source', 'path') ?? '',
    targetRevision: textAt(object, 'spec', 'source', 'targetRevision') ?? '',
    sync: textAt(object, 'status', 'sync', 'status') ?? 'Unknown',
    health: textAt(object, 'status', 'health', 'status') ?? 'Unknown',
    healthSince: timeAt(object, 'status', 'health', 'lastTransitionTime'),
    revision: textAt(object, 'status', 'sync', 'revision'),
    reconciled: timeAt(object, 'status', 'reconciledAt'),
    isSyncing: ['Running', 'Terminating'].includes(textAt(object, 'status', 'operationState', 'phase') ?? ''),
    failure: failureOf(object),
    errors: conditionsOf(object).filter(({ type }) => type.endsWith('Error')),
    warnings: conditionsOf(object).filter(({ type }) => OWN_WARNINGS.includes(type)),
    resources: bad.map((one) => {
      const [namespace, name] = [textAt(one, 'namespace'), textAt(one, 'name') ?? ''];
      return `${textAt(one, 'kind') ?? ''} ${namespace === undefined ? name : `${namespace}/${name}`}`;
    }),
  });
}

/** Returns the address or the name of the cluster of a destination. */
export function destinationOf(destination: unknown): string | undefined {
  return textAt(destination, 'server') ?? textAt(destination, 'name');
}

/** Others are about objects that no Application has. */
const OWN_WARNINGS = ['SharedResourceWarning', 'RepeatedResourceWarning', 'ExcludedResourceWarning'];

/** Returns what is kept of an ApplicationSet. */
export function observedApplicationSet(object: unknown): ObservedApplicationSet {
  const error = conditionsOf(object).find(({ type, status }) => type === 'ErrorOccurred' && status === 'True');
  return present<ObservedApplicationSet>({ name: nameOf(object).name, error });
}

/** Returns the last sync of an Application if it failed, and if it says something of the state that is synced now. */
function failureOf(object: unknown): ObservedApplication['failure'] {
  const operation = at(object, 'status', 'operationState');
  if (!['Failed', 'Error'].includes(textAt(operation, 'phase') ?? '')) return undefined;
  const synced = textAt(object, 'status', 'sync', 'revision');
  const failed = textAt(operation, 'syncResult', 'revision') ?? synced;
  if (textAt(object, 'status', 'sync', 'status') === 'Synced' && failed !== synced) return undefined;
  const since = timeAt(operation, 'finishedAt');
  return { message: textAt(operation, 'message') ?? '', ...(since !== undefined && { since }) };
}

/** Whether Argo CD reports an object as out of sync or unhealthy. */
function isBad(resource: unknown): boolean {
  const sync = textAt(resource, 'status');
  const health = textAt(resource, 'health', 'status');
  return (
    (sync !== undefined && sync !== 'Synced') || (health !== undefined && !['Healthy', 'Suspended'].includes(health))
  );
}
