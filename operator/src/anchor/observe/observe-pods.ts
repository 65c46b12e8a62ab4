import type { ObservedIdentity, PodGroup } from '../../../api/anchor/observed';
import { CONTROL_PLANE_COMPONENT } from '../../../api/multus/annotations';
import { PROXY_CONTAINER, TRUST_ROOT_SHA256 } from '../../../api/names';
import {
  IDENTITY_CONTAINER,
  isMeshed,
  isRestartable,
  type MeshedPod,
  startOf,
  workloadOfPod,
} from '../objects/meshed-pod';

/** The hash of pods that say nothing, or nothing that could be one: nobody knows what they know. */
const NO_HASH = 'none';

/** Pods of the control plane count by when they start, all others by the hash that they were injected with. */
function isOfControlPlane({ metadata }: MeshedPod, controlPlaneNamespace: string): boolean {
  return metadata.namespace === controlPlaneNamespace && metadata.labels?.[CONTROL_PLANE_COMPONENT] !== undefined;
}

/** A pod as a rotation goes by it; undefined for one that has read no roots yet. */
export function observedPod(pod: MeshedPod, controlPlaneNamespace: string): Omit<PodGroup, 'pods'> | undefined {
  const workload = workloadOfPod(pod);
  const restartable = isRestartable(workload);
  const created = Date.parse(pod.metadata.creationTimestamp ?? '');
  if (!isOfControlPlane(pod, controlPlaneNamespace)) {
    const hash = hashOf(pod);
    return { workload, since: Number.isFinite(created) ? created : 0, hash, restartable };
  }
  // Identity verifies issuers by the roots that it read itself.
  const starts = [PROXY_CONTAINER, IDENTITY_CONTAINER].flatMap((name) => startOf(pod, name) ?? []);
  return starts.length === 0 ? undefined : { workload, since: Math.min(...starts), restartable };
}

function hashOf({ metadata }: MeshedPod): string {
  const hash = metadata.annotations?.[TRUST_ROOT_SHA256];
  return hash !== undefined && /^[0-9a-f]{64}$/.test(hash) ? hash : NO_HASH;
}

/** Groups meshed pods by their workloads and by what they were given. */
export function observePods(pods: readonly MeshedPod[], controlPlaneNamespace: string): readonly PodGroup[] {
  const groups = new Map<string, PodGroup>();
  for (const pod of pods) {
    const one = isMeshed(pod) ? observedPod(pod, controlPlaneNamespace) : undefined;
    if (one === undefined) continue;
    // Of the control plane, starts count one by one: an older pod knows less than a younger one.
    const id = `${one.workload} ${one.hash ?? one.since}`;
    const group = groups.get(id);
    groups.set(id, { ...one, pods: (group?.pods ?? 0) + 1, since: Math.min(one.since, group?.since ?? one.since) });
  }
  return [...groups.values()];
}

/** The value of {@link CONTROL_PLANE_COMPONENT} of identity's pods. */
const IDENTITY = 'identity';

/** Pods of identity that run. */
export function identityPods(pods: readonly MeshedPod[], controlPlaneNamespace: string): readonly MeshedPod[] {
  return pods.filter(
    (pod) =>
      isOfControlPlane(pod, controlPlaneNamespace) &&
      pod.metadata.labels?.[CONTROL_PLANE_COMPONENT] === IDENTITY &&
      startOf(pod, IDENTITY_CONTAINER) !== undefined,
  );
}

/** The replicas of identity, and the ends of the issuers that they say they work with. */
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
