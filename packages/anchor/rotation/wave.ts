import { anchorsKnownTo, mayTrust } from '../knowledge';
import type { AnchorMemory } from '../memory';
import type { ObservedTrust, PodGroup } from '../observed';
import type { AnchorPlan, RestartWave } from '../plan';
import { neededKeys } from './adopted';
import { turnedFrom } from './leaves-turned';
import type { Returned } from './returned';

/** Returns the wave in which workloads restart during a rotation, if there is one. */
export function waveOf(progress: Returned): Pick<AnchorPlan, 'wave'> {
  const { rotation, key, aborting, givenOut } = progress;
  if (key === undefined || rotation.announced === undefined) return {};
  const turns = aborting ? undefined : turnedFrom(progress);
  const why =
    turns === undefined ? ({ reason: 'adopt', since: givenOut } as const) : ({ reason: 'turn', since: turns } as const);
  return { wave: { ...why, generation: rotation.to, key } };
}

/** Whether a pod lacks what a wave restarts workloads for. */
export function isBehind(
  pod: Pick<PodGroup, 'hash' | 'since'>,
  { reason, key, since, forgets = [] }: RestartWave,
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
      return mayTrust(pod, forgets, bundles, policy);
  }
}
