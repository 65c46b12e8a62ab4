import { listed } from '#base/findings/listed';
import type { AnchorKey, Time } from '../chain';
import { anchorsKnownTo, heldSince, laggardsOf, NO_LAGGARDS } from '../knowledge';
import type { MemberLaggards } from '../member-laggards';
import { memberKeys } from '../members';
import type { ObservedTrust } from '../observed';
import type { AnchorAction, Laggards, Milestone } from '../plan';
import { bundledKeys } from '../remember';
import { waveActions } from '../restarts';
import { endOfOld, timeNeeded } from '../rotation-target';
import { earliest, spreadBy } from '../times';
import { TRUST_ROOTS } from '../trust-anchor';
import { bridgeEnd } from '../way';
import type { Bridged } from './bridged';
import { open, passed, sinceNow } from './rotating';

/**
 * Every pod trusts the next anchor. Over a bridge, this may come last. Without a bridge, the next anchor signs only
 * after this, so these facts come before those of signing.
 */
export interface Adopted extends Bridged {
  /** Pods that may not trust the new anchor. */
  readonly laggards: Laggards;
  /** The time from which a new pod gets all required anchors that the bundle contains. */
  readonly givenOut: Time;
  /** There have been no laggards for as long as an observation may be late. */
  readonly settled: boolean;
  readonly adopted: boolean;
}

export function adoptedFacts(before: Bridged): Adopted {
  const { observed, memory, rotation, key, isFirst, announced, now } = before;
  const { policy } = observed;
  const needed = key === undefined ? [] : neededKeys(observed, key);
  const laggards = isFirst ? NO_LAGGARDS : laggardsOf(observed.pods, needed, memory.bundles, policy);
  const given = bundledKeys(observed);
  const held = heldSince(
    memory.bundles,
    needed.filter((one) => given.has(one)),
  );
  const since = sinceNow(announced && laggards.pods === 0, rotation.adopted, now);
  const until = since === undefined ? undefined : since + policy.lag;
  const settled = until !== undefined && now >= until;
  const givenOut = spreadBy(held ?? now, policy);
  return {
    ...before,
    record: { ...before.record, ...(since !== undefined && { adopted: since }) },
    times: [...before.times, until],
    laggards,
    givenOut,
    settled,
    adopted: settled || isFirst,
  };
}

/**
 * Returns the anchors that every pod must trust before the old one is removed: the next one, and those of other
 * clusters.
 */
export function neededKeys(observed: ObservedTrust, key: AnchorKey): readonly AnchorKey[] {
  return [...new Set([key, ...memberKeys(observed)])];
}

/** Whether there are proxies that may trust only the old anchor, and that the operator cannot restart. */
export function hasUnseen({ unseen = [] }: ObservedTrust): boolean {
  return unseen.length > 0;
}

/** Reason of a milestone that waits until a user has handled proxies outside the cluster. */
export const UNSEEN_PROXIES = 'UnseenProxies';

/** Maximum number of named proxies, workloads and clusters. */
export const MAX_NAMED = 3;

export function unseenText({ unseen = [] }: ObservedTrust): string {
  return [
    `the operator cannot see which anchors the proxies of ${listed(unseen, MAX_NAMED)} trust.`,
    `Give them the roots of ConfigMap ${TRUST_ROOTS} and restart them, or name linked clusters in spec.members,`,
    'then set spec.acceptUnseenProxies to true',
  ].join(' ');
}

export function adoptedMilestone({ announced, adopted, laggards: { pods, workloads } }: Adopted): Milestone {
  if (adopted) return passed('Adopted', 'AllKnow', 'every pod trusts the new anchor');
  if (pods > 0) {
    const names = listed(
      workloads.map(({ workload }) => workload),
      MAX_NAMED,
    );
    return open('Adopted', 'Laggards', `${pods} pods may not trust the new anchor: ${names}`);
  }
  if (!announced)
    return open('Adopted', 'Laggards', 'pods can trust the new anchor once it is in the bundle of the mesh');
  return open(
    'Adopted',
    'Settling',
    'every observed pod trusts the new anchor: waiting for propagationDelay to confirm it',
  );
}

/** Reason of a milestone that waits for clusters that share the anchor. */
export const MEMBERS_WAIT = 'MembersWait';

/** Returns the open milestone if no rotation is in progress, but other clusters wait for pods of this one. */
export function awaitedByMembers(
  laggards: MemberLaggards | undefined,
  { policy: { laggards: policy } }: ObservedTrust,
  now: Time,
): readonly Milestone[] {
  // A pod that restarts before then may get the earlier bundle.
  if (laggards === undefined || now < laggards.wave.since) return [];
  const names = listed(
    laggards.workloads.map(({ workload }) => workload),
    MAX_NAMED,
  );
  const restart =
    policy === 'Restart' ? `${names} (being restarted; delete pods that no controller recreates)` : `restart ${names}`;
  const message = `${laggards.pods} pods may not trust the anchors of other clusters, which wait for these pods: ${restart}`;
  return [open('Adopted', MEMBERS_WAIT, message)];
}

/** Restarts pods that may not trust the next anchor, if the policy says so or if time is short. */
export function laggardActions({
  observed,
  memory,
  laggards,
  rotation,
  announced,
  givenOut,
  way,
  now,
  signed,
  to,
  isEmergency,
}: Adopted & { readonly signed: boolean }): readonly AnchorAction[] {
  const { policy, inWindow } = observed;
  const wave = { since: givenOut, generation: rotation.to };
  const [restart] = announced ? waveActions(wave, laggards.workloads, observed, now) : [];
  if (restart === undefined) return [];
  // An extension gains time for pods that cannot be restarted, not for those that can.
  const end = earliest(endOfOld(observed, rotation, memory.current), to && bridgeEnd(to, rotation.from));
  const isLate = end !== undefined && now >= end - timeNeeded(observed, way, restart.workloads.length);
  const isMeant = inWindow && (policy.laggards === 'Restart' || (way === 'restarts' && !signed));
  const isNow = isLate || isMeant || isEmergency;
  return isNow ? [restart] : [];
}

/** Restarts identity, which is not a workload of the user, even if workloads are not restarted. */
export function lateIdentityActions({ observed, memory, key, announced }: Adopted): readonly AnchorAction[] {
  const { policy, identity, bundle } = observed;
  if (policy.laggards !== 'Never' || !announced || key === undefined || bundle === undefined) return [];
  const isLate = identity.some(({ since }) => !anchorsKnownTo({ since }, memory.bundles, policy).has(key));
  return isLate ? [{ do: 'restart-identity', bundle: bundle.hash }] : [];
}
