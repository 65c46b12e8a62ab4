import { counted } from '#base/counted';
import { isMap } from '#base/values';
import {
  CONTROL_PLANE_COMPONENT,
  DEFAULT_INBOUND_POLICY,
  INJECT,
  PROXY_VERSION_INJECTED,
  SKIP_INBOUND_PORTS,
  TRUST_ROOT_SHA256,
} from '#linkerd/annotations';
import { PROXY_CONTAINER } from '#operator/api/names';
import {
  annotationIn,
  at,
  conditionIn,
  conditionOf,
  idIn,
  labelsIn,
  listAt,
  MAX_NAMES,
  nameIn,
  numberAt,
  type ObservedName,
  present,
  type Time,
  type Trouble,
  tagOf,
  textAt,
  timeAt,
  troubleOf,
} from './fields';

/** A pod. */
export interface ObservedPod extends ObservedName {
  /** `Deployment/web`; `Pod/web` if it has no controller. */
  readonly workload: string;
  readonly created?: Time;
  /** The pod has ended, or is being deleted. */
  readonly isOver: boolean;
  readonly isHostNetwork: boolean;
  /** The value of `linkerd.io/inject`. */
  readonly inject?: string;
  /** Name of the component of the control plane. */
  readonly component?: string;
  /** The image tag of the component's container, if the container is ready. */
  readonly running?: string;
  /** Absent if the pod has no proxy. */
  readonly proxy?: ObservedProxy;
  /** The inbound policy and ports; absent if the pod has no proxy. */
  readonly inbound?: ObservedInbound;
  readonly labels: Readonly<Record<string, string>>;
  readonly node?: string;
  readonly isReady: boolean;
  /** When the present readiness began. */
  readonly readySince?: Time;
  /** The scheduler found no node. */
  readonly unscheduled?: Trouble;
  readonly troubled: readonly TroubledContainer[];
  /** A container of the pod runs, or has run. */
  readonly hasStarted: boolean;
}

interface ObservedInbound {
  /** The policy for ports without a Server. */
  readonly policy?: string;
  /** The ports that bypass the proxy: comma-separated numbers and ranges. */
  readonly skipped?: string;
  /** The numbers of ports with names. */
  readonly ports?: Readonly<Record<string, number>>;
}

interface ObservedProxy {
  /** The release in the pod's annotation, or else the tag of the proxy's image. */
  readonly release?: string;
  /** SHA-256 of the trust roots with which the proxy was injected. */
  readonly roots?: string;
  readonly isReady: boolean;
  /** Why the proxy's container has not started yet, such as `PodInitializing`. */
  readonly waiting?: string;
  /** The end of the previous container; absent if the proxy never restarted. */
  readonly ended?: { readonly at: Time; readonly reason: string };
}

/** A container that fails, or does not start. */
export interface TroubledContainer {
  readonly name: string;
  /** Such as `CrashLoopBackOff`, `ImagePullBackOff`, `CreateContainerConfigError`. */
  readonly reason: string;
  readonly message: string;
  readonly image: string;
  /** An init container ends before the containers of the pod start. */
  readonly isInit?: true;
  /** The reason of the container's last end, such as `OOMKilled`. */
  readonly ended?: string;
}

export function observePod(object: unknown): ObservedPod {
  const phase = textAt(object, 'status', 'phase');
  const ready = conditionOf(object, 'Ready');
  const statuses = (list: string) => listAt(object, 'status', list).slice(0, MAX_NAMES);
  const [initial, main] = [statuses('initContainerStatuses'), statuses('containerStatuses')];
  const sidecars = sidecarsIn(object);
  const isInit = (status: unknown) => !sidecars.includes(textAt(status, 'name'));
  return present<ObservedPod>({
    ...idIn(object),
    workload: workloadOf(object),
    created: timeAt(object, 'metadata', 'creationTimestamp'),
    isOver: phase === 'Succeeded' || phase === 'Failed' || at(object, 'metadata', 'deletionTimestamp') !== undefined,
    isHostNetwork: at(object, 'spec', 'hostNetwork') === true,
    inject: annotationIn(object, INJECT),
    component: textAt(object, 'metadata', 'labels', CONTROL_PLANE_COMPONENT),
    running: runningIn(object),
    proxy: observeProxy(object),
    inbound: observeInbound(object),
    labels: labelsIn(object),
    node: textAt(object, 'spec', 'nodeName'),
    isReady: ready?.status === 'True',
    readySince: ready?.since,
    unscheduled: troubleOf(conditionIn(object, 'False', 'PodScheduled')),
    troubled: [
      ...initial.flatMap((one) => troubledContainer(one, isInit(one)) ?? []),
      ...main.flatMap((one) => troubledContainer(one, false) ?? []),
    ],
    hasStarted: [...initial, ...main].some(hasStarted),
  });
}

/** Returns the init containers that run as long as the pod, such as a proxy that is a native sidecar. */
function sidecarsIn(object: unknown): readonly (string | undefined)[] {
  const restarted = listAt(object, 'spec', 'initContainers').filter((one) => at(one, 'restartPolicy') === 'Always');
  return [PROXY_CONTAINER, ...restarted.map((one) => textAt(one, 'name'))];
}

/** Returns the image tag that runs in a pod of the control plane; the template of its workload may be newer. */
function runningIn(object: unknown): string | undefined {
  const component = textAt(object, 'metadata', 'labels', CONTROL_PLANE_COMPONENT);
  if (component === undefined) return undefined;
  const isComponent = (one: unknown) => at(one, 'name') === component;
  const status = listAt(object, 'status', 'containerStatuses').find(isComponent);
  const container = listAt(object, 'spec', 'containers').find(isComponent);
  return at(status, 'ready') === true ? tagOf(textAt(container, 'image')) : undefined;
}

/** The name of a ReplicaSet is that of its Deployment, with the hash of the pod template. */
function workloadOf(object: unknown): string {
  const owner = listAt(object, 'metadata', 'ownerReferences').find((one) => at(one, 'controller') === true);
  if (owner === undefined) return `Pod/${nameIn(object)}`;
  const [kind, name] = [textAt(owner, 'kind') ?? '', textAt(owner, 'name') ?? ''];
  const hash = textAt(object, 'metadata', 'labels', 'pod-template-hash');
  if (kind === 'ReplicaSet' && hash !== undefined && name.endsWith(`-${hash}`)) {
    return `Deployment/${name.slice(0, -hash.length - 1)}`;
  }
  return `${kind}/${name}`;
}

function isProxy(container: unknown): boolean {
  return at(container, 'name') === PROXY_CONTAINER;
}

/** A native sidecar is an init container. */
function proxyContainer(object: unknown): unknown {
  return ['containers', 'initContainers'].flatMap((list) => listAt(object, 'spec', list)).find(isProxy);
}

/** The injector writes the mesh's default policy into a variable of the proxy. The annotation overrides it. */
function observeInbound(object: unknown): ObservedInbound | undefined {
  const proxy = proxyContainer(object);
  if (proxy === undefined) return undefined;
  const isDefault = (one: unknown) => at(one, 'name') === 'LINKERD2_PROXY_INBOUND_DEFAULT_POLICY';
  const ports = listAt(object, 'spec', 'containers').flatMap((container) => listAt(container, 'ports'));
  const numbers = ports.slice(0, MAX_NAMES).flatMap((port) => {
    const [name, number] = [textAt(port, 'name'), numberAt(port, 'containerPort')];
    return name === undefined || number === 0 ? [] : [[name, number] as const];
  });
  const inbound = present<ObservedInbound>({
    policy: annotationIn(object, DEFAULT_INBOUND_POLICY) ?? textAt(listAt(proxy, 'env').find(isDefault), 'value'),
    skipped: annotationIn(object, SKIP_INBOUND_PORTS),
    ports: numbers.length === 0 ? undefined : Object.fromEntries(numbers),
  });
  return Object.keys(inbound).length === 0 ? undefined : inbound;
}

function observeProxy(object: unknown): ObservedProxy | undefined {
  const container = proxyContainer(object);
  if (container === undefined) return undefined;
  const status = ['containerStatuses', 'initContainerStatuses']
    .flatMap((list) => listAt(object, 'status', list))
    .find(isProxy);
  const ended = at(status, 'lastState', 'terminated');
  const finished = timeAt(ended, 'finishedAt');
  return present<ObservedProxy>({
    release: annotationIn(object, PROXY_VERSION_INJECTED) ?? tagOf(textAt(container, 'image')),
    roots: annotationIn(object, TRUST_ROOT_SHA256),
    isReady: at(status, 'ready') === true,
    waiting: hasStarted(status) ? undefined : textAt(status, 'state', 'waiting', 'reason'),
    ended: finished === undefined ? undefined : { at: finished, reason: textAt(ended, 'reason') ?? 'unknown' },
  });
}

const STARTING: readonly string[] = ['ContainerCreating', 'PodInitializing'];

function troubledContainer(status: unknown, isInit: boolean): TroubledContainer | undefined {
  if (at(status, 'ready') === true) return undefined;
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  const end = ['state', 'lastState'].map((key) => at(status, key, 'terminated')).find((one) => isMap(one));
  const ended = end === undefined ? undefined : (textAt(end, 'reason') ?? 'unknown');
  // A failed container may be running again.
  const hasFailed = waiting === undefined && end !== undefined && numberAt(end, 'exitCode') !== 0;
  const reason = waiting ?? (hasFailed ? ended : undefined);
  if (reason === undefined || STARTING.includes(reason)) return undefined;
  const restarts = numberAt(status, 'restartCount');
  const message =
    end === undefined
      ? (textAt(status, 'state', 'waiting', 'message') ?? '')
      : `exit code ${numberAt(end, 'exitCode')} (${ended})${restarts === 0 ? '' : `, ${counted(restarts, 'restart')}`}`;
  return present<TroubledContainer>({
    name: textAt(status, 'name') ?? PROXY_CONTAINER,
    reason,
    message,
    image: textAt(status, 'image') ?? '',
    isInit: isInit ? true : undefined,
    ended,
  });
}

function hasStarted(status: unknown): boolean {
  const states = [at(status, 'state'), at(status, 'lastState')];
  return states.some((state) => isMap(at(state, 'running')) || isMap(at(state, 'terminated')));
}
