import type { KubeObject, OwnerReference } from '#controller-runtime/objects/kube-object';
import { ADMISSION_WEBHOOKS, RECONCILE } from '#linkerd/annotations';
import { CONFIG_ANNOTATION, INJECTION_ANNOTATION, PROXY_CONTAINER } from '#operator/api/names';
import type { ArgoRollout } from '#operator/src/propagation/kinds/argo-rollout';
import type { DaemonSet } from '#operator/src/propagation/kinds/daemon-set';
import type { Deployment } from '#operator/src/propagation/kinds/deployment';
import type { StatefulSet } from '#operator/src/propagation/kinds/stateful-set';
import type { PodDisruptionBudget } from '#operator/src/propagation/objects/disruption-budget';
import type { Pod } from '#operator/src/propagation/objects/pod';
import type { ClusterView } from '#operator/src/propagation/plan/cluster-view';

/** In most tests, the time from which all injectors have the configuration. */
export const SINCE = '2026-11-21T09:34:00Z';
export const BEFORE = '2026-11-21T09:33:59Z';
export const AFTER = '2026-11-21T09:34:01Z';
export const HASH = '0123456789abcdef';
/** The value of the annotation that restarts workloads for {@link HASH} and {@link SINCE}. */
export const VALUE = `${HASH}.20261121T093400Z`;
const NAMESPACE = 'shop';

interface Marks {
  readonly namespace?: string;
  /** The value of the configuration annotation of the pod template. */
  readonly value?: string;
}

/** A Deployment with three replicas whose rollout is complete. */
export function deployment(name: string, marks: Marks & Partial<Pick<Deployment, 'spec' | 'status'>> = {}): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace: marks.namespace ?? NAMESPACE,
      uid: `uid-${name}`,
      resourceVersion: '1',
      generation: 2,
    },
    spec: { replicas: 3, selector: { matchLabels: { app: name } }, ...marks.spec, template: template(marks.value) },
    status: { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3, ...marks.status },
  };
}

export function statefulSet(
  name: string,
  marks: Marks & Partial<Pick<StatefulSet, 'spec' | 'status'>> = {},
): StatefulSet {
  const revisions = { currentRevision: 'a', updateRevision: 'a' };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {
      name,
      namespace: marks.namespace ?? NAMESPACE,
      uid: `uid-${name}`,
      resourceVersion: '1',
      generation: 2,
    },
    spec: { replicas: 3, ...marks.spec, template: template(marks.value) },
    status: { observedGeneration: 2, readyReplicas: 3, updatedReplicas: 3, ...revisions, ...marks.status },
  };
}

export function daemonSet(name: string, marks: Marks & Partial<Pick<DaemonSet, 'spec' | 'status'>> = {}): DaemonSet {
  const complete = { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      name,
      namespace: marks.namespace ?? NAMESPACE,
      uid: `uid-${name}`,
      resourceVersion: '1',
      generation: 2,
    },
    spec: { ...marks.spec, template: template(marks.value) },
    status: { observedGeneration: 2, ...complete, ...marks.status },
  };
}

export function argoRollout(name: string, parts: Partial<Pick<ArgoRollout, 'spec' | 'status'>> = {}): ArgoRollout {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name, namespace: NAMESPACE, uid: `uid-${name}`, resourceVersion: '1' },
    spec: parts.spec ?? {},
    status: parts.status ?? { phase: 'Healthy' },
  };
}

/** A pod template with the configuration annotation, or an empty one. */
function template(value: string | undefined): Deployment['spec']['template'] {
  return value === undefined ? {} : { metadata: { annotations: { [CONFIG_ANNOTATION]: value } } };
}

interface PodParts {
  readonly namespace?: string;
  readonly owner?: OwnerReference;
  readonly created?: string;
  readonly value?: string;
  readonly injected?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly terminating?: boolean;
  readonly phase?: string;
  readonly ready?: boolean;
}

/** A running pod whose label requests restarts. By default, it has an old configuration and no controller. */
export function pod(name: string, parts: PodParts = {}): Pod {
  const { owner, created = BEFORE, value, injected = true, phase = 'Running', ready = true } = parts;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: parts.namespace ?? NAMESPACE,
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: created,
      labels: { [RECONCILE]: 'auto', ...parts.labels },
      ...(value !== undefined && { annotations: { [CONFIG_ANNOTATION]: value } }),
      ...(owner !== undefined && { ownerReferences: [owner] }),
      ...(parts.terminating && { deletionTimestamp: AFTER }),
    },
    spec: { containers: [{ name: 'app' }, ...(injected ? [{ name: PROXY_CONTAINER }] : [])] },
    status: { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}

/** An owner reference to an object as the controller. */
export function ownerOf({ apiVersion = '', kind = '', metadata: { name, uid = '' } }: KubeObject): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true };
}

/** The ReplicaSet of a Deployment or Rollout. */
export function replicaSetOf(owner: KubeObject): KubeObject {
  const { name, namespace } = owner.metadata;
  const labels = { [RECONCILE]: 'auto' };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: `${name}-1`, namespace, labels, uid: `uid-${name}-1`, ownerReferences: [ownerOf(owner)] },
  };
}

export function namespace(name: string, admissionWebhooks?: string): KubeObject {
  const labels = admissionWebhooks === undefined ? undefined : { [ADMISSION_WEBHOOKS]: admissionWebhooks };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

export function budget(name: string, app: string, disruptionsAllowed: number): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: NAMESPACE, generation: 1 },
    spec: { selector: { matchLabels: { app } } },
    status: { observedGeneration: 1, disruptionsAllowed },
  };
}

/** The injector, with one replica whose rollout is complete. */
export function injector(marks: { readonly annotated?: string; readonly recorded?: string } = {}): Deployment {
  const base = deployment('linkerd-proxy-injector', {
    namespace: 'linkerd',
    value: marks.annotated,
    spec: { replicas: 1, selector: { matchLabels: { app: 'injector' } }, template: {} },
    status: { replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
  });
  if (marks.recorded === undefined) return base;
  return { ...base, metadata: { ...base.metadata, annotations: { [INJECTION_ANNOTATION]: marks.recorded } } };
}

export function injectorPod(name: string, parts: PodParts = {}): Pod {
  return pod(name, { namespace: 'linkerd', labels: { app: 'injector' }, ...parts });
}

/** A cluster with three namespaces, whose injector has the configuration. */
export function clusterView(parts: Partial<ClusterView> = {}): ClusterView {
  return {
    namespaces: [namespace(NAMESPACE), namespace('linkerd'), namespace('kube-system', 'disabled')],
    pods: [],
    replicaSets: [],
    workloads: [],
    budgets: [],
    injector: injector({ annotated: HASH, recorded: VALUE }),
    injectorPods: [injectorPod('injector', { value: HASH })],
    isIncomplete: false,
    rejections: new Map(),
    ...parts,
  };
}
