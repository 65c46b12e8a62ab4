interface Mistake {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const inFile = (name: string, from: string, to: string): Mistake => ({ file: `packages/anchor/${name}.ts`, from, to });
const inStep = (step: string, from: string, to: string): Mistake => inFile(`rotation/${step}`, from, to);

/** Guards whose absence breaks a mesh only with several clusters, real times or lost Secrets. */
const WITHOUT_LINKED = {
  /** A cluster reports the roots of the certificates that it signed for others, even after it stops using them. */
  'certifiers-held': inFile(
    'member-report',
    'holds: [...new Set([certifying.certifier, rotation?.retiring ? undefined : rotation?.from])].flatMap(',
    'holds: ([] as (string | undefined)[]).flatMap(',
  ),
  /** Pods restart only when new pods certainly get the present bundle. */
  'given-out': inFile(
    'restarts',
    "observed.policy.laggards === 'Never' || now < startedAfter(since, observed.policy)",
    "observed.policy.laggards === 'Never'",
  ),
  /** The restart is late enough by the clock of every replica. */
  'clocks-apart': inFile('restarts', 'now < startedAfter(since, observed.policy)', 'now < since'),
  /** A last call (signing before all pods trust the anchor, see `Signing`) lasts until the issuer is signed. */
  'last-call': inFile(
    'rotation-target',
    'return isRenewed ? undefined : issuer.chain?.notAfter;',
    "return isRenewed || typeof signer === 'number' ? undefined : issuer.chain?.notAfter;",
  ),
  /** The last call applies to each anchor whose issuer nothing can renew. */
  'last-call-for-any': inStep(
    'signing',
    'before.announced && isLastCall(observed, now);',
    'before.announced && isLastCall(observed, now) && issuer.chain?.signer === rotation.from;',
  ),
  /** A leak is over once every cluster reports that it no longer trusts the key. */
  'members-distrust': inFile('compromised', 'if (members.length === 0) {', 'if (members.length >= 0) {'),
  /** A certificate for another cluster ends before the anchor that signed it. */
  'certified-in-time': inFile(
    'certify',
    'certificate?.signer === certifier && end !== undefined && certificate.notAfter > end',
    'false',
  ),
  /** A leaked key certifies nothing, so no rotation waits for its certificates. */
  'leaked-certifier': inFile('members', 'isCompromised(observed, key) || namedMembers', 'namedMembers'),
  /** The report of distrusted keys includes the anchors that certified a leaked key. */
  'vouchers-distrusted': inFile(
    'compromised',
    'return trustIn(untrusted, view).isOver ? untrusted : [];',
    'return trustIn(untrusted, view).isOver ? keys : [];',
  ),
  /** A key that replaces a lost one is self-signed, also at the end of a rotation. */
  'lost-at-the-end': inStep('retired', 'if (withoutKey.length > 0) return withoutKey;', ''),
};

/** The conditions that keep a rotation from breaking a mesh, each with a change of the source that removes it. */
export const WITHOUT_GUARD = {
  /** The bundle for new pods counts only when it has reached the injector. */
  announced: inStep('announced', 'spread !== undefined && now >= spread', 'spread !== undefined'),
  /** The new anchor signs only when the old one has signed it. */
  bridged: inStep('signing', 'return bridged || rotation.retiring === true;', 'return true;'),
  /** Without a bridge, the new anchor signs only when all pods trust it. */
  'adopted-first': inStep('signing', 'return isKnown && isCertifiedInTime(before);', 'return true;'),
  /** Identity is known to use the new issuer, whatever its Secret contains. */
  'taken-up': inStep('signing', 'const steady = memory.issuer?.steady;', 'const steady = now;'),
  /** No leaf of the old anchor is valid any more. */
  'leaves-turned': inStep('leaves-turned', 'const leavesTurned = now >= turned', 'const leavesTurned = true'),
  /** No probed proxy presents a leaf of the old anchor, however long leaves live. */
  probed: inStep('retired', 'const isProven = isEmergency', 'const isProven = true'),
  /** No pod trusts only the old anchor. */
  adopted: inStep('adopted', 'adopted: settled || isFirst,', 'adopted: true,'),
  /** An observation has held for as long as a cache may be late. */
  settled: inStep('adopted', 'until !== undefined && now >= until;', 'until !== undefined;'),
  /** Nothing can sign with the old anchor any more, including requests in flight. */
  'signer-moved': inStep('retired', 'const hasMoved = observed', 'const hasMoved = true || observed'),
  /** The clusters that share the anchor have adopted the new one, too. */
  'members-adopted': inStep('retired', 'haveMembersAdopted(observed, rotation.from, key, now)', 'true'),
  /** The clusters whose anchors the old one certified have moved to certificates of the new one. */
  'members-certified': inStep('retired', 'haveMembersMoved(observed, rotation.from, key)', 'true'),
  /** A commitment that other clusters rely on is not revoked. */
  committed: inStep('returned', ' || rotation.committed === true', ''),
  /** A rotation that is rolled back keeps the new anchor in the bundle until none of its leaves is valid. */
  returned: inStep('returned', "if (observed.issuer.state === 'issuing') return false;", 'return true;'),
  ...WITHOUT_LINKED,
};

/** The name of one of these conditions. */
export type Guard = keyof typeof WITHOUT_GUARD;

/** The name of a guard that concerns several clusters over time. */
export type LinkedGuard = keyof typeof WITHOUT_LINKED;

export const GUARDS = Object.keys(WITHOUT_GUARD) as readonly Guard[];
