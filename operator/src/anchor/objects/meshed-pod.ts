import type { KubeObject, OwnerReference } from '#controller-runtime/objects/kube-object';
import { TRUST_ROOT_SHA256 } from '#linkerd/annotations';
import { PROXY_CONTAINER, TRUST_ROOTS_ANNOTATION } from '#operator/api/names';
import type { Pod } from '../../propagation/objects/pod';
import { slimMetadata } from '../../propagation/objects/slim-metadata';

/** Container of Linkerd's identity controller. */
export const IDENTITY_CONTAINER = 'identity';

interface ContainerStatus {
  readonly name: string;
  readonly state?: { readonly running?: { readonly startedAt?: string } };
}

interface PodProxy {
  /** The name of its identity: `web.shop.serviceaccount.identity.linkerd.cluster.local`. */
  readonly identity: string;
  readonly port: number;
}

/** A pod with a proxy, and when its containers started. */
export interface MeshedPod extends Pod {
  /** Read from the proxy's container; absent if it is not there. */
  readonly proxy?: PodProxy;
  readonly status?: Pod['status'] & {
    readonly podIP?: string;
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

const READ = new Set<string>([PROXY_CONTAINER, IDENTITY_CONTAINER]);

/** Drops unused fields, because a cluster may have ten thousand pods. */
export function slimMeshedPod(pod: MeshedPod): MeshedPod {
  const { apiVersion, kind, metadata, spec, status } = pod;
  const proxy = podProxy(pod);
  const names = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].filter(({ name }) => READ.has(name));
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const ready = status?.conditions?.filter(({ type }) => type === 'Ready');
  return {
    apiVersion,
    kind,
    metadata: { ...slimMetadata(metadata, KEPT_ANNOTATIONS), labels: metadata.labels },
    spec: { containers: names.map(({ name }) => ({ name })) },
    ...(proxy !== undefined && { proxy }),
    status: {
      phase: status?.phase,
      conditions: ready?.map(({ type, status: value }) => ({ type, status: value })),
      ...(status?.podIP !== undefined && { podIP: status.podIP }),
      containerStatuses: statuses.flatMap(({ name, state }) => {
        const startedAt = state?.running?.startedAt;
        return READ.has(name) && startedAt !== undefined ? [{ name, state: { running: { startedAt } } }] : [];
      }),
    },
  };
}

/** The fields of a pod's spec for a connection to its proxy (linkerd2, charts/partials/templates/_proxy.tpl). */
interface ProxySpec {
  readonly serviceAccountName?: string;
  readonly hostNetwork?: boolean;
  readonly containers: readonly ProxyContainer[];
  readonly initContainers?: readonly ProxyContainer[];
}

interface ProxyContainer {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
}

const LOCAL_NAME = 'LINKERD2_PROXY_IDENTITY_LOCAL_NAME';

/** The proxy's inbound port unless its container names another one. */
const INBOUND_PORT = 4_143;

function podProxy({ metadata, spec }: MeshedPod): PodProxy | undefined {
  const { containers, initContainers = [], serviceAccountName = 'default', hostNetwork } = spec as ProxySpec;
  const proxy = [...initContainers, ...containers].find(({ name }) => name === PROXY_CONTAINER);
  const identity = proxy?.env
    ?.find(({ name }) => name === LOCAL_NAME)
    ?.value?.replace('$(_pod_sa)', serviceAccountName)
    .replace('$(_pod_ns)', metadata.namespace ?? '');
  // The creator of a pod chooses these values, so they are checked.
  if (hostNetwork || identity === undefined || !/^[A-Za-z0-9.-]{1,253}$/.test(identity)) return undefined;
  const port = proxy?.ports?.find(({ name }) => name === PROXY_CONTAINER)?.containerPort ?? INBOUND_PORT;
  return { identity, port };
}

const KEPT_ANNOTATIONS = [TRUST_ROOT_SHA256, TRUST_ROOTS_ANNOTATION];

/** Whether a pod has a proxy that runs or will run. */
export function isMeshed({ spec, status }: MeshedPod): boolean {
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return !isOver && spec.containers.some(({ name }) => name === PROXY_CONTAINER);
}

/** Returns the start of a container, in milliseconds since 1970; undefined while it does not run. */
export function startOf({ status }: MeshedPod, container: string): number | undefined {
  const startedAt = status?.containerStatuses?.find(({ name }) => name === container)?.state?.running?.startedAt;
  const time = Date.parse(startedAt ?? '');
  return Number.isFinite(time) ? time : undefined;
}

const RESTARTABLE = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Rollout']);

/** Whether the workload of an id (`namespace/Kind/name`) can be restarted. */
export function isRestartable(workload: string): boolean {
  return RESTARTABLE.has(workload.split('/')[1] ?? '');
}

/**
 * Returns the id of a pod's workload, from its owner. A ReplicaSet's name is that of its workload plus the hash that
 * pods also carry, so no ReplicaSets need to be cached: there may be ten for each Deployment. A faked owner is detected
 * at the restart, and can only restart workloads in its own namespace.
 */
export function workloadOfPod({ metadata }: KubeObject): string {
  const { namespace, name, labels } = metadata;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (owner === undefined) return `${namespace}/Pod/${name}`;
  const above = owner.kind === 'ReplicaSet' ? aboveReplicaSet(owner, labels ?? {}) : owner;
  return `${namespace}/${above.kind}/${above.name}`;
}

const HASHES = { 'pod-template-hash': 'Deployment', 'rollouts-pod-template-hash': 'Rollout' } as const;

function aboveReplicaSet(
  owner: OwnerReference,
  labels: Readonly<Record<string, string>>,
): Pick<OwnerReference, 'kind' | 'name'> {
  for (const [label, kind] of Object.entries(HASHES)) {
    const suffix = `-${labels[label]}`;
    if (labels[label] !== undefined && owner.name.endsWith(suffix)) {
      return { kind, name: owner.name.slice(0, -suffix.length) };
    }
  }
  return owner;
}
