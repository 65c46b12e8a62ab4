import { hasMoved, isWithoutRoot } from './certify';
import type { AnchorKey } from './chain';
import type { ObservedTrust } from './observed';

/** Returns the anchors with which other clusters sign, or may. */
export function memberKeys(observed: ObservedTrust): readonly AnchorKey[] {
  const { members, policy } = observed;
  return members
    .filter((member) => policy.members.includes(member.name) && !isWithoutRoot(member, observed))
    .flatMap(({ signing }) => signing);
}

/**
 * Whether all pods of all other clusters know the new anchor. An unreachable cluster counts as not knowing it. Pods of
 * one that certifies it need not.
 */
export function doMembersKnow(
  { policy, members }: Pick<ObservedTrust, 'policy' | 'members'>,
  key: AnchorKey | undefined,
): boolean {
  return policy.members.every((name) => {
    if (name === policy.certifiedBy) return true;
    const member = members.find((one) => one.name === name);
    return member !== undefined && key !== undefined && member.adopted.includes(key);
  });
}

/**
 * Whether all other clusters sign without the old anchor, and their pods know the new one. An unreachable cluster
 * counts as not.
 */
export function haveMembersAdopted(
  { policy, members }: ObservedTrust,
  from: AnchorKey | undefined,
  key: AnchorKey | undefined,
): boolean {
  const isSigned = members.some(({ name, signing }) => {
    return policy.members.includes(name) && from !== undefined && signing.includes(from);
  });
  return doMembersKnow({ policy, members }, key) && !isSigned;
}

/** Whether nothing in other clusters leads to the old anchor any more, and what it certified leads to the new one. */
export function haveMembersMoved(
  { policy, members }: ObservedTrust,
  from: AnchorKey | undefined,
  key: AnchorKey | undefined,
): boolean {
  return members.every((one) => !policy.members.includes(one.name) || hasMoved(one, { policy }, { from, key }));
}
