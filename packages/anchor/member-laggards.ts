import type { Time } from './chain';
import { heldSince, lacks, laggardsOf } from './knowledge';
import { memberKeys } from './members';
import type { AnchorMemory } from './memory';
import type { ObservedTrust } from './observed';
import type { AnchorAction, Laggards, RestartWave } from './plan';
import { waveActions } from './restarts';
import { spreadBy } from './times';

/** Pods that may not trust the anchors of other clusters, which wait for these pods; and the restarts that help. */
export interface MemberLaggards extends Laggards {
  readonly wave: RestartWave;
  /** Within the usual limits. The policy, or a leak, decides whether they are carried out. */
  readonly restarts: readonly AnchorAction[];
}

/** Returns the pods for which other clusters wait; undefined if there are none. */
export function memberLaggards(
  observed: ObservedTrust,
  { bundles, current }: Pick<AnchorMemory, 'bundles' | 'current'>,
  now: Time,
): MemberLaggards | undefined {
  const { policy, pods } = observed;
  const theirs = memberKeys(observed);
  const held = heldSince(bundles, theirs);
  const key = theirs.findLast((one) => pods.some(lacks([one], bundles, policy)));
  if (held === undefined || key === undefined) return undefined;
  const wave = { reason: 'adopt', generation: current?.generation ?? 0, key, since: spreadBy(held, policy) } as const;
  const laggards = laggardsOf(pods, theirs, bundles, policy);
  return { ...laggards, wave, restarts: waveActions(wave, laggards.workloads, observed, now) };
}
