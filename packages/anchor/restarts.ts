import type { Time } from './chain';
import type { ObservedTrust } from './observed';
import type { AnchorAction, Laggards, RestartWave } from './plan';
import { startedAfter } from './times';
import { restartableIn } from './way';

/**
 * Restarts the workloads with a pod that started before a wave: each once. A further restart would not help a pod that
 * started later and still seems to lack what the wave is for.
 */
export function waveActions(
  { since, generation }: Pick<RestartWave, 'since' | 'generation'>,
  workloads: Laggards['workloads'],
  observed: Pick<ObservedTrust, 'policy' | 'pods'>,
  now: Time,
): readonly Extract<AnchorAction, { readonly do: 'restart-laggards' }>[] {
  // A pod that starts now must count as started after `since`, by a clock that is behind, and in whole seconds.
  if (observed.policy.laggards === 'Never' || now < startedAfter(since, observed.policy)) return [];
  const restartable = restartableIn(observed);
  const behind = workloads.filter((one) => one.since < since && restartable.has(one.workload));
  return behind.length === 0
    ? []
    : [{ do: 'restart-laggards', workloads: behind.map(({ workload }) => workload), generation }];
}
