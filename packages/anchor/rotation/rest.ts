import { certificationAtRest } from '../certified';
import type { AnchorKey, Time } from '../chain';
import { laggardsOf, NO_LAGGARDS } from '../knowledge';
import { type MemberLaggards, memberLaggards } from '../member-laggards';
import type { AnchorMemory } from '../memory';
import type { ObservedTrust } from '../observed';
import type { AnchorAction, AnchorPlan, Laggards } from '../plan';
import { endOfRoot, endOfSigning, type Rest, signingAnchor, timeNeeded } from '../rotation-target';
import { earliest, earliestAfter } from '../times';
import { wayOf } from '../way';
import { holdAnchor, keepRoots, pointSigner } from './actions';
import { awaitedByMembers } from './adopted';
import { netUnder } from './net';

/** Plans without a rotation: restores what was lost, and nothing else. */
export function rest(
  observed: ObservedTrust,
  memory: AnchorMemory,
  { due }: Rest,
  now: Time,
): Omit<AnchorPlan, 'report'> {
  const { issuer, policy } = observed;
  const signing = signingAnchor(observed);
  const key = issuer.chain?.signer;
  const current =
    key === undefined ? memory.current : livingBy(observed, memory, { key, generation: signing?.generation });
  const end = endOfSigning(observed);
  const begin = Math.max(now, due ?? now);
  const known = { ...memory, ...(current && { current }) };
  const net = netUnder(observed, known, undefined, now);
  const awaited = memberLaggards(observed, memory, now);
  const { wave, restarts } = restartsForMembers(awaited, observed);
  const again = earliestAfter(now, due, ...net.times);
  return {
    phase: key === undefined ? 'Pending' : net.outage === undefined ? 'Stable' : 'Expired',
    milestones: [...awaitedByMembers(awaited, observed, now), ...net.milestones],
    actions: [
      ...(policy.paused ? [] : [...restore(observed), ...certificationAtRest(observed, memory, now)]),
      ...net.actions,
      ...restarts,
    ],
    ...(wave && { wave }),
    ...(net.outage !== undefined && { outage: net.outage }),
    memory: known,
    laggards: key === undefined ? NO_LAGGARDS : laggardsAtRest(observed, memory, key),
    ...(due !== undefined && { nextRotation: due }),
    ...(end !== undefined && { slack: end - begin - timeNeeded(observed, wayOf(observed, key)) }),
    ...(again !== undefined && { again }),
  };
}

/** Returns the restarts for which other clusters wait, if the policy is `Restart` and allows them now. */
function restartsForMembers(
  awaited: MemberLaggards | undefined,
  { policy, inWindow }: ObservedTrust,
): Pick<Partial<MemberLaggards>, 'wave'> & Pick<MemberLaggards, 'restarts'> {
  const isMeant = policy.laggards === 'Restart' && inWindow && !policy.paused;
  return awaited !== undefined && isMeant ? awaited : { restarts: [] };
}

/** Pods of the control plane have no hash, and started with a bundle that contained the signer. */
function laggardsAtRest({ pods, policy }: ObservedTrust, { bundles }: AnchorMemory, key: AnchorKey): Laggards {
  const injected = pods.filter(({ hash }) => hash !== undefined);
  return laggardsOf(injected, [key], bundles, policy);
}

function restore(observed: ObservedTrust): readonly AnchorAction[] {
  const { issuer, signer } = observed;
  const signing = signingAnchor(observed);
  const key = issuer.chain?.signer;
  if (key === undefined) {
    // A renewed issuer shows its signer.
    const isUnknown = issuer.state === 'issued' && typeof signer === 'number';
    return isUnknown ? [{ do: 'renew-issuer', revision: issuer.revision }] : [];
  }
  if (signing === undefined) return keepRoots(observed, [key]);
  const point = signer === 'other' ? [] : pointSigner(observed, signing.generation);
  return [...keepRoots(observed, [key]), ...holdAnchor(signing), ...point];
}

/** Returns the anchor that the mesh uses, and its first observed expiry. */
export function livingBy(
  observed: ObservedTrust,
  { current }: AnchorMemory,
  { key, generation }: { readonly key: AnchorKey; readonly generation: number | undefined },
): NonNullable<AnchorMemory['current']> {
  const before = current?.key === key ? current : undefined;
  const end = earliest(endOfRoot(observed, key), before?.end);
  const isLost = generation === undefined && (before?.generation !== undefined || before?.lost === true);
  return {
    key,
    ...(generation !== undefined && { generation }),
    ...(isLost && { lost: true }),
    ...(end !== undefined && { end }),
  };
}
