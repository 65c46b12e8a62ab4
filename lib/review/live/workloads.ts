import { isMap } from '#base/values';
import { ADMISSION_WEBHOOKS, DEFAULT_INBOUND_POLICY, INJECT } from '#linkerd/annotations';
import {
  annotationIn,
  at,
  type Change,
  changeOf,
  conditionIn,
  conditionOf,
  conditionsOf,
  idIn,
  imageTags,
  labelsIn,
  listAt,
  MAX_NAMES,
  nameIn,
  numberAt,
  type ObservedName,
  present,
  type Time,
  type Trouble,
  textAt,
  timeAt,
  troubleOf,
} from './fields';

/** A namespace. */
export interface ObservedNamespace {
  readonly name: string;
  /** The value of `linkerd.io/inject`. */
  readonly inject?: string;
  /** Linkerd's webhooks ignore the namespace. */
  readonly isExempt: boolean;
  /** The value of `config.linkerd.io/default-inbound-policy`. */
  readonly inboundPolicy?: string;
  readonly labels: Readonly<Record<string, string>>;
  /** When the deletion of the namespace began, and which objects remain; absent without a deletion. */
  readonly terminating?: Trouble;
}

export function observeNamespace(object: unknown): ObservedNamespace {
  const since = timeAt(object, 'metadata', 'deletionTimestamp');
  const remaining = conditionsOf(object).filter(({ status }) => status === 'True');
  return present<ObservedNamespace>({
    name: nameIn(object),
    inject: annotationIn(object, INJECT),
    isExempt: textAt(object, 'metadata', 'labels', ADMISSION_WEBHOOKS) === 'disabled',
    inboundPolicy: annotationIn(object, DEFAULT_INBOUND_POLICY),
    labels: labelsIn(object),
    terminating:
      since === undefined ? undefined : { since, message: remaining.map(({ message }) => message).join('; ') },
  });
}

/** A node. */
export interface ObservedNode {
  readonly name: string;
  readonly isReady: boolean;
  readonly readySince?: Time;
  readonly isCordoned: boolean;
  /** The keys of the node's taints that repel new pods. */
  readonly taints: readonly string[];
  /** The last change of the node's cordon or taints. */
  readonly closed?: Change;
}

export function observeNode(object: unknown): ObservedNode {
  const ready = conditionOf(object, 'Ready');
  const closing = listAt(object, 'spec', 'taints').filter((taint) => at(taint, 'effect') !== 'PreferNoSchedule');
  const isCordoned = at(object, 'spec', 'unschedulable') === true;
  return present<ObservedNode>({
    name: nameIn(object),
    isReady: ready?.status === 'True',
    readySince: ready?.since,
    isCordoned,
    taints: closing.slice(0, MAX_NAMES).flatMap((taint) => textAt(taint, 'key') ?? []),
    closed: isCordoned ? changeOf(object, 'spec', 'unschedulable') : changeOf(object, 'spec', 'taints'),
  });
}

/** A Deployment or a DaemonSet. */
export interface ObservedWorkload extends ObservedName {
  readonly kind: string;
  readonly wanted: number;
  /** Number of ready pods of the current template; 0 if no controller has observed it. */
  readonly ready: number;
  /** Number of ready pods of any template. */
  readonly running: number;
  /** When the workload became unavailable, by its condition. */
  readonly since?: Time;
  /** The image tags of the workload's containers, by container. */
  readonly images: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Labels of the workload's pods. */
  readonly podLabels: Readonly<Record<string, string>>;
  /** The last change of the number of replicas. */
  readonly scaled?: Change;
  /** Set if the API server refuses the workload's pods. */
  readonly refusal?: Trouble;
}

export function observeWorkload(object: unknown, kind: string): ObservedWorkload {
  const isDeployment = kind === 'Deployment';
  const available = conditionOf(object, 'Available');
  const count = (key: string) => numberAt(object, 'status', key);
  const isObserved = count('observedGeneration') >= numberAt(object, 'metadata', 'generation');
  const running = count(isDeployment ? 'readyReplicas' : 'numberReady');
  const updated = count(isDeployment ? 'updatedReplicas' : 'updatedNumberScheduled');
  return present<ObservedWorkload>({
    ...idIn(object),
    kind,
    wanted: isDeployment ? numberAt(object, 'spec', 'replicas') : count('desiredNumberScheduled'),
    // The ready pods may be of an earlier template.
    ready: isObserved ? Math.min(updated, running) : 0,
    running,
    since: available?.status === 'True' ? undefined : available?.since,
    images: imageTags(object),
    labels: labelsIn(object),
    podLabels: labelsIn(at(object, 'spec', 'template')),
    scaled: changeOf(object, 'spec', 'replicas'),
    refusal: troubleOf(conditionIn(object, 'True', 'ReplicaFailure')),
  });
}

/** A StatefulSet or a Job. */
export interface ObservedController extends ObservedName {
  readonly kind: string;
  /** The workload has fewer pods than specified, and may create more. */
  readonly lacksPods: boolean;
}

export function observeController(object: unknown, kind: string): ObservedController {
  const id = { kind, ...idIn(object) };
  const wanted = (key: string) => (at(object, 'spec', key) === undefined ? 1 : numberAt(object, 'spec', key));
  const has = (key: string) => numberAt(object, 'status', key);
  if (kind !== 'Job') return { ...id, lacksPods: has('replicas') < wanted('replicas') };
  const isOver = conditionIn(object, 'True', ...OVER) !== undefined;
  return { ...id, lacksPods: !isOver && has('active') < Math.min(wanted('parallelism'), wanted('completions')) };
}

const OVER: readonly string[] = ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet', 'Suspended'];

/** A PodDisruptionBudget. */
export interface ObservedBudget extends ObservedName {
  readonly selector?: unknown;
  /** Number of pods that may be evicted now. */
  readonly allowed: number;
  readonly healthy: number;
  /** The minimum number of healthy pods. */
  readonly wanted: number;
  /** Number of pods that the budget counts. */
  readonly expected: number;
  /** Since when the budget permits an eviction, or permits none. */
  readonly since?: Time;
}

export function observeBudget(object: unknown): ObservedBudget {
  return present<ObservedBudget>({
    ...idIn(object),
    selector: at(object, 'spec', 'selector'),
    allowed: numberAt(object, 'status', 'disruptionsAllowed'),
    healthy: numberAt(object, 'status', 'currentHealthy'),
    wanted: numberAt(object, 'status', 'desiredHealthy'),
    expected: numberAt(object, 'status', 'expectedPods'),
    since: conditionOf(object, 'DisruptionAllowed')?.since,
  });
}

/** An Event of type Warning about an object. */
export interface ObservedEvent {
  readonly namespace: string;
  /** `ReplicaSet/web-5d8`. */
  readonly object: string;
  readonly reason: string;
  readonly message: string;
  /** The times of the first and the last occurrence. */
  readonly first?: Time;
  readonly last?: Time;
}

export function observeEvent(object: unknown): ObservedEvent {
  const last =
    timeAt(object, 'series', 'lastObservedTime') ?? timeAt(object, 'lastTimestamp') ?? timeAt(object, 'eventTime');
  return present<ObservedEvent>({
    namespace: textAt(object, 'involvedObject', 'namespace') ?? '',
    object: `${textAt(object, 'involvedObject', 'kind') ?? ''}/${textAt(object, 'involvedObject', 'name') ?? ''}`,
    reason: textAt(object, 'reason') ?? '',
    message: textAt(object, 'message') ?? '',
    first: timeAt(object, 'firstTimestamp') ?? timeAt(object, 'eventTime'),
    last,
  });
}

/** A ResourceQuota. */
export interface ObservedQuota extends ObservedName {
  /** The exhausted resources, with their limits: `pods 0`. */
  readonly exhausted: readonly string[];
  readonly created?: Time;
}

export function observeQuota(object: unknown): ObservedQuota {
  const hard = at(object, 'status', 'hard') ?? at(object, 'spec', 'hard');
  const isExhausted = (key: string) =>
    textAt(hard, key) === '0' || textAt(hard, key) === textAt(object, 'status', 'used', key);
  const exhausted = isMap(hard) ? Object.keys(hard).filter(isExhausted) : [];
  return present<ObservedQuota>({
    ...idIn(object),
    exhausted: exhausted.slice(0, MAX_NAMES).map((key) => `${key} ${textAt(hard, key) ?? ''}`),
    created: changeOf(object, 'spec', 'hard')?.at ?? timeAt(object, 'metadata', 'creationTimestamp'),
  });
}

/** An EndpointSlice: some of the addresses of a Service. */
export interface ObservedEndpoints {
  readonly namespace: string;
  readonly service: string;
  /** Number of addresses that get connections. */
  readonly ready: number;
  /** The ports of the addresses. */
  readonly ports?: readonly number[];
  /** The names of pods that get connections. */
  readonly pods?: readonly string[];
}

export function observeEndpoints(object: unknown): ObservedEndpoints {
  const ready = listAt(object, 'endpoints').filter((one) => at(one, 'conditions', 'ready') !== false);
  const ports = listAt(object, 'ports').slice(0, MAX_NAMES);
  return {
    namespace: idIn(object).namespace,
    service: textAt(object, 'metadata', 'labels', 'kubernetes.io/service-name') ?? '',
    ready: ready.length,
    ports: ports.map((one) => numberAt(one, 'port')).filter((port) => port > 0),
    pods: ready.slice(0, MAX_NAMES).flatMap((one) => textAt(one, 'targetRef', 'name') ?? []),
  };
}
