import { certifyingMember } from './certified';
import { hasMoved, isWithoutRoot } from './certify';
import type { AnchorKey, Time } from './chain';
import type { ObservedMember, ObservedTrust } from './observed';
import { isCompromised, namedMembers } from './policy';
import { leadsTo } from './way';

/** Returns the other clusters whose roots proxies here need. */
export function membersWithRoots(observed: ObservedTrust): readonly ObservedMember[] {
  return namedMembers(observed).filter((member) => !isWithoutRoot(member, observed));
}

/** Returns the anchors with which other clusters sign, or may. */
export function memberKeys(observed: ObservedTrust): readonly AnchorKey[] {
  return membersWithRoots(observed).flatMap(({ signing }) => signing);
}

/**
 * Whether all pods of all other clusters know the new anchor. An unreachable cluster counts as not knowing it. Pods of
 * the hub, which certifies it, need not; nor do those of other clusters that know an anchor of the hub to which leads
 * what is issued here.
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
 * Whether all other clusters sign without the old anchor, and their pods know the new one. An unreachable cluster
 * counts as not.
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
 * Whether nothing in other clusters leads to the old anchor any more, and what it certified leads to the new one. A key
 * that leaked certifies nothing: it has to be replaced, by a rotation that begins when this one has ended.
 */
export function haveMembersMoved(
  observed: ObservedTrust,
  from: AnchorKey | undefined,
  key: AnchorKey | undefined,
): boolean {
  return isCompromised(observed, key) || namedMembers(observed).every((one) => hasMoved(one, observed, { from, key }));
}
