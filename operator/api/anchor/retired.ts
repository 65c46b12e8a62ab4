import { hasUnseen } from './adopted';
import { doMembersKnow, haveMembersAdopted, haveMembersMoved } from './members';
import type { Rotation } from './memory';
import { type Proof, proofOf } from './pairs';
import type { Returned } from './returned';
import { sinceNow } from './rotating';

/** Step 6: the old anchor is removed. Nothing before is final. */
export interface Retired extends Returned {
  /** Proxies confirm that nothing depends on the old anchor. */
  readonly proof: Proof;
  /** Other clusters may be told that the old anchor no longer signs. */
  readonly mayCommit: boolean;
  /** All observations allow retiring the old anchor. */
  readonly mayRetire: boolean;
}

export function retiredFacts(before: Returned): Retired {
  const { observed, rotation, record, key, minted, leavesTurned, adopted, isEmergency, now, guards } = before;
  const proof = proofOf({ ...before, signing: record.signing });
  // Who has the old anchor's key presents what he likes.
  const isAsked = guards.has('probed') && !isEmergency;
  const isProven = !isAsked || proof.state === 'unasked' || proof.state === 'passed';
  const isMoved = observed.signer === rotation.to && observed.issuer.state === 'issued';
  const hasMoved = isMoved || !guards.has('signer-moved');
  const mayCommit = leavesTurned && isProven && hasMoved && minted && !hasUnseen(observed);
  const membersAdopted = !guards.has('members-adopted') || haveMembersAdopted(observed, rotation.from, key);
  const membersMoved = !guards.has('members-certified') || haveMembersMoved(observed, rotation.from, key);
  const mayRetire = mayCommit && adopted && membersAdopted && membersMoved;
  const isAlone = observed.anchors.every(({ generation }) => generation === rotation.to);
  const dropped = sinceNow(rotation.retiring === true && isAlone, rotation.dropped, now);
  return {
    ...before,
    record: {
      ...record,
      ...(dropped !== undefined && { dropped }),
      ...(proof.oldChains.length > 0 && { oldChains: proof.oldChains }),
      ...finals(before, { mayCommit, mayRetire }),
    },
    proof,
    mayCommit,
    mayRetire,
  };
}

/** Returns irreversible steps: none is taken during a pause or a rollback. */
function finals(
  { observed, rotation, key, adopted, aborting, held }: Returned,
  { mayCommit, mayRetire }: Pick<Retired, 'mayCommit' | 'mayRetire'>,
): Partial<Rotation> {
  const { paused, members, certifies = [] } = observed.policy;
  const isOn = !paused && !held && !aborting;
  const mayCertify = certifies.length > 0 && mayCommit && adopted && doMembersKnow(observed, key);
  return {
    ...((rotation.certifies || (mayCertify && isOn)) && { certifies: true }),
    ...((rotation.committed || (mayCommit && isOn && members.length > 0)) && { committed: true }),
    ...((rotation.retiring || (mayRetire && isOn)) && { retiring: true }),
  };
}
