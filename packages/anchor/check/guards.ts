interface Mistake {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const inStep = (step: string, from: string, to: string): Mistake => ({
  file: `packages/anchor/rotation/${step}.ts`,
  from,
  to,
});

/** The conditions that keep a rotation from breaking a mesh, by the mistakes that remove them: a mesh breaks with each. */
export const WITHOUT_GUARD = {
  /** The bundle for new pods counts only when it has reached the injector. */
  announced: inStep('announced', 'spread !== undefined && now >= spread', 'spread !== undefined'),
  /** The new anchor signs only when the old one has signed it. */
  bridged: inStep('signing', 'return bridged || rotation.retiring === true;', 'return true;'),
  /** Without a bridge, it signs only when all pods know it; until then nothing signs. */
  'adopted-first': inStep('signing', 'return isKnown && isCertifiedInTime(before);', 'return true;'),
  /** Identity is known to use the new issuer, whatever its Secret contains. */
  'taken-up': inStep('signing', 'const steady = memory.issuer?.steady;', 'const steady = now;'),
  /** No leaf of the old anchor is valid any more. */
  'leaves-turned': inStep('leaves-turned', 'const leavesTurned = now >= turned', 'const leavesTurned = true'),
  /** No proxy that is asked presents one, however long leaves live. */
  probed: inStep('retired', 'const isProven = isEmergency', 'const isProven = true'),
  /** No pod knows only the old anchor. */
  adopted: inStep('adopted', 'adopted: settled || isFirst,', 'adopted: true,'),
  /** An observation has held for as long as a cache may be late. */
  settled: inStep('adopted', 'until !== undefined && now >= until;', 'until !== undefined;'),
  /** Nothing can sign with the old anchor any more, including requests in flight. */
  'signer-moved': inStep('retired', 'const hasMoved = observed', 'const hasMoved = true || observed'),
  /** All of this also holds for the clusters that share the anchor. */
  'members-adopted': inStep('retired', 'haveMembersAdopted(observed, rotation.from, key, now)', 'true'),
  /** Those whose anchors the old one certified are certified by the new one, and by nothing else. */
  'members-certified': inStep('retired', 'haveMembersMoved(observed, rotation.from, key)', 'true'),
  /** What other clusters rely on is not revoked. */
  committed: inStep('returned', ' || rotation.committed === true', ''),
  /** A rotation that is rolled back keeps the new anchor in the bundle until none of its leaves is valid. */
  returned: inStep('returned', "if (observed.issuer.state === 'issuing') return false;", 'return true;'),
};

/** The name of one of these conditions. */
export type Guard = keyof typeof WITHOUT_GUARD;

export const GUARDS = Object.keys(WITHOUT_GUARD) as readonly Guard[];
