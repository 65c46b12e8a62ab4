import type { ObservedIdentity, PodGroup } from '#anchor/observed';
import { CONTROL_PLANE_COMPONENT, TRUST_ROOT_SHA256 } from '#linkerd/annotations';
import { PROXY_CONTAINER } from '#operator/api/names';
import {
  IDENTITY_CONTAINER,
  isMeshed,
  isRestartable,
  type MeshedPod,
  startOf,
  workloadOfPod,
} from '../objects/meshed-pod';

/** The hash for pods without a valid one: which anchors they trust is unknown. */
const NO_HASH = 'none';

/**
 * Whether a pod belongs to the control plane. The start of such a pod shows which anchors it trusts. For other pods,
 * the hash from their injection does.
 */
export function isOfControlPlane({ metadata }: MeshedPod, controlPlaneNamespace: string): boolean {
  return metadata.namespace === controlPlaneNamespace && metadata.labels?.[CONTROL_PLANE_COMPONENT] !== undefined;
}

/** Returns a pod as seen by a rotation; undefined if it has not read trust roots yet. */
export function observedPod(pod: MeshedPod, controlPlaneNamespace: string): Omit<PodGroup, 'pods'> | undefined {
  const workload = workloadOfPod(pod);
  const restartable = isRestartable(workload);
  const created = Date.parse(pod.metadata.creationTimestamp ?? '');
  if (!isOfControlPlane(pod, controlPlaneNamespace)) {
    const hash = hashOf(pod);
    return { workload, since: Number.isFinite(created) ? created : 0, hash, restartable };
  }
  // Identity verifies issuers with the roots that its own container read at its start.
  const starts = [PROXY_CONTAINER, IDENTITY_CONTAINER].flatMap((name) => startOf(pod, name) ?? []);
  return starts.length === 0 ? undefined : { workload, since: Math.min(...starts), restartable };
}

function hashOf({ metadata }: MeshedPod): string {
  const hash = metadata.annotations?.[TRUST_ROOT_SHA256];
  return hash !== undefined && /^[0-9a-f]{64}$/.test(hash) ? hash : NO_HASH;
}

/** Groups meshed pods by their workloads and their bundles. */
export function observePods(pods: readonly MeshedPod[], controlPlaneNamespace: string): readonly PodGroup[] {
  const groups = new Map<string, PodGroup>();
  for (const pod of pods) {
    const one = isMeshed(pod) ? observedPod(pod, controlPlaneNamespace) : undefined;
    if (one === undefined) continue;
    // The control plane's pods count by their starts: an older pod may lack anchors that a younger one trusts.
    const id = `${one.workload} ${one.hash ?? one.since}`;
    const group = groups.get(id);
    groups.set(id, { ...one, pods: (group?.pods ?? 0) + 1, since: Math.min(one.since, group?.since ?? one.since) });
  }
  return [...groups.values()];
}

const IDENTITY = 'identity';

/** Returns running pods of identity. */
export function identityPods(pods: readonly MeshedPod[], controlPlaneNamespace: string): readonly MeshedPod[] {
  return pods.filter(
    (pod) =>
      isOfControlPlane(pod, controlPlaneNamespace) &&
      pod.metadata.labels?.[CONTROL_PLANE_COMPONENT] === IDENTITY &&
      startOf(pod, IDENTITY_CONTAINER) !== undefined,
  );
}

/** Returns the replicas of identity, and the reported expiry of their issuers. */
export function observeIdentity(
  pods: readonly MeshedPod[],
  issuerEnds: ReadonlyMap<string, number>,
): readonly ObservedIdentity[] {
  return pods.map((pod) => {
    const { name, uid = '' } = pod.metadata;
    const issuerEnd = issuerEnds.get(uid);
    return { name, since: startOf(pod, IDENTITY_CONTAINER) ?? 0, ...(issuerEnd !== undefined && { issuerEnd }) };
  });
}
