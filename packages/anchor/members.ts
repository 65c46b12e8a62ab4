import { certifyingMember } from './certified';
import { hasMoved, isWithoutRoot } from './certify';
import type { AnchorKey, Time } from './chain';
import type { ObservedMember, ObservedTrust } from './observed';
import { isCompromised, namedMembers } from './policy';
import { leadsTo } from './way';

/** Returns the other clusters whose roots proxies of this cluster need. */
export function membersWithRoots(observed: ObservedTrust): readonly ObservedMember[] {
  return namedMembers(observed).filter((member) => !isWithoutRoot(member, observed));
}

/** Returns the anchors with which other clusters sign, or may. */
export function memberKeys(observed: ObservedTrust): readonly AnchorKey[] {
  return membersWithRoots(observed).flatMap(({ signing }) => signing);
}

/**
 * Whether pods of all other clusters accept the new anchor's certificates; no, for a cluster without a report. Pods
 * trust the anchor itself, or an anchor of the hub to which certificates of this cluster chain. Pods of the hub, which
 * certifies the anchor, always accept them.
 */
export function doMembersKnow(
  observed: Pick<ObservedTrust, 'policy' | 'members' | 'issuer'>,
  key: AnchorKey | undefined,
  now: Time,
): boolean {
  const { policy, members } = observed;
  const { roots = [] } = certifyingMember(observed) ?? {};
  const leading = roots.filter((root) => policy.trustDomain !== undefined || leadsTo(observed, root, now));
  return policy.members.every((name) => {
    if (name === policy.certifiedBy) return true;
    const { adopted = [] } = members.find((one) => one.name === name) ?? {};
    return (key !== undefined && adopted.includes(key)) || leading.some((root) => adopted.includes(root));
  });
}

/**
 * Whether all other clusters sign without the old anchor, and their pods accept the new one; no, for a cluster without
 * a report.
 */
export function haveMembersAdopted(
  observed: ObservedTrust,
  from: AnchorKey | undefined,
  key: AnchorKey | undefined,
  now: Time,
): boolean {
  const isSigned = namedMembers(observed).some(({ signing }) => from !== undefined && signing.includes(from));
  return doMembersKnow(observed, key, now) && !isSigned;
}

/**
 * Whether no certificate in other clusters chains to the old anchor, and those that it certified chain to the new one.
 * A leaked new key certifies nothing: the next rotation, which begins when this one has ended, replaces it.
 */
export function haveMembersMoved(
  observed: ObservedTrust,
  from: AnchorKey | undefined,
  key: AnchorKey | undefined,
): boolean {
  return isCompromised(observed, key) || namedMembers(observed).every((one) => hasMoved(one, observed, { from, key }));
}
