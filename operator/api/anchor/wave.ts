import { neededKeys } from './adopted';
import { mayTrust } from './compromised';
import { anchorsKnownTo } from './knowledge';
import type { AnchorMemory } from './memory';
import type { ObservedTrust, PodGroup } from './observed';
import type { RestartWave } from './plan';

/** Whether a pod lacks what a wave restarts workloads for. */
export function isBehind(
  pod: Pick<PodGroup, 'hash' | 'since'>,
  { reason, key, since }: RestartWave,
  observed: ObservedTrust,
  { bundles }: Pick<AnchorMemory, 'bundles'>,
): boolean {
  const { policy } = observed;
  switch (reason) {
    case 'adopt': {
      const known = anchorsKnownTo(pod, bundles, policy);
      return !neededKeys(observed, key).every((one) => known.has(one));
    }
    case 'turn':
      return pod.since < since;
    case 'forget':
      return mayTrust(pod, policy.compromised ?? [], bundles, policy);
  }
}
