import { isCertified } from '../certified';
import type { Time } from '../chain';
import { doMembersKnow } from '../members';
import type { Rotation } from '../memory';
import type { ObservedTrust } from '../observed';
import type { AnchorAction, Milestone } from '../plan';
import { unrenewedUntil } from '../rotation-target';
import { settledBy, takenUpBy } from '../times';
import { leadsTo } from '../way';
import { pointSigner } from './actions';
import { type Adopted, hasUnseen, UNSEEN_PROXIES, unseenText } from './adopted';
import { open, passed, sinceNow } from './rotating';

/** Step 4: identity issues with the next anchor alone. */
export interface Signing extends Adopted {
  readonly maySign: boolean;
  /** The next anchor has to sign, even if few pods trust it: otherwise nothing would sign. */
  readonly lastCall: boolean;
  /** The new anchor signed the issuer. */
  readonly signed: boolean;
  /** Identity is known to use that issuer, and pods that trust only the old anchor accept its certificates. */
  readonly takenUp: boolean;
  /** As `takenUp`, and no replica can start any more with an earlier issuer. */
  readonly signing: boolean;
}

export function signingFacts(before: Adopted): Signing {
  const { observed, memory, rotation, key, way, now } = before;
  const { issuer } = observed;
  const signed = key !== undefined && issuer.chain?.signer === key && issuer.state !== 'missing';
  const holds = way === 'restarts' || rotation.retiring === true || leadsTo(observed, rotation.from, now);
  const steady = memory.issuer?.steady;
  const since = sinceNow(signed && holds && steady !== undefined, rotation.signing ?? steady, now);
  const lastCall = before.minted && before.announced && isLastCall(observed, now);
  return {
    ...before,
    record: { ...before.record, ...(since !== undefined && { signing: since }) },
    times: [...before.times, ...signingTimes(before)],
    maySign: lastCall || mayStart(before) || mayMove(before),
    lastCall,
    signed,
    takenUp: signed && holds && memory.issuer?.takenUp !== undefined,
    signing: since !== undefined,
  };
}

/** When identity restarts to load its issuer, and when an anchor signs without waiting for another cluster. */
function signingTimes({ observed: { policy }, memory: { issuer }, rotation }: Adopted): readonly Time[] {
  return [
    ...(issuer === undefined ? [] : [takenUpBy(issuer.seen, policy), settledBy(issuer.seen, policy)]),
    ...(policy.certifiedBy === undefined ? [] : [askedSince(rotation) + policy.patience]),
  ];
}

function mayStart(before: Adopted): boolean {
  return before.minted && before.isFirst && isCertifiedInTime(before);
}

/**
 * Whether an anchor without a bridge is certified by another cluster, or waited long enough for that. If it signed
 * earlier, leaves would not chain to that cluster's anchor.
 */
function isCertifiedInTime({ observed, memory, rotation, to, now }: Adopted): boolean {
  const { certifiedBy, patience } = observed.policy;
  if (certifiedBy === undefined || to === undefined || now >= askedSince(rotation) + patience) return true;
  return isCertified(to, observed, memory, now);
}

/** Returns since when another cluster may have been asked: in a rotation, the next anchor is announced before. */
function askedSince({ from, announced, began }: Rotation): Time {
  return (from === undefined ? undefined : announced) ?? began;
}

/** Whether pods accept certificates of the next anchor: over the bridge, or because all of them trust it. */
function mayMove(before: Adopted): boolean {
  const { observed, rotation, key, minted, announced, way, bridged, settled, now } = before;
  if (!minted || !announced) return false;
  if (way === 'bridge') return bridged || rotation.retiring === true;
  const isKnown = settled && doMembersKnow(observed, key, now) && !hasUnseen(observed);
  return isKnown && isCertifiedInTime(before);
}

/**
 * Whether it is the last moment to sign. If the issuer cannot be renewed, pods that do not trust the new anchor are cut
 * off when it signs; but all pods are cut off when nothing signs.
 */
function isLastCall(observed: ObservedTrust, now: Time): boolean {
  const { lag, patience } = observed.policy;
  const end = unrenewedUntil(observed);
  return end !== undefined && now >= end - lag - patience;
}

export function signingMilestone(progress: Signing): Milestone {
  const { observed, memory, way, adopted, signed, takenUp, maySign } = progress;
  if (takenUp) return passed('Signing', 'TakenUp', 'identity issues with the new anchor');
  if (signed) {
    const until = memory.issuer && takenUpBy(memory.issuer.seen, observed.policy);
    return open('Signing', 'Signed', 'the new anchor signed the issuer; waiting for identity to load it', until);
  }
  const isHeld = way === 'restarts' && adopted && !maySign && hasUnseen(observed);
  return isHeld
    ? open('Signing', UNSEEN_PROXIES, `the new anchor does not sign: ${unseenText(observed)}`)
    : open('Signing', 'NotSigned', 'the identity issuer is not signed by the new anchor');
}

/** Returns the milestone of a first anchor, which is in use as soon as it signs. */
export function firstSigningMilestone({ signed }: Signing): Milestone {
  return signed
    ? passed('Signing', 'Signed', 'the anchor signed the identity issuer')
    : open('Signing', 'NotSigned', 'waiting for cert-manager to sign the identity issuer with the anchor');
}

/** Makes the right anchor sign the issuer, and the issuer include the bridge. */
export function signActions(progress: Signing): readonly AnchorAction[] {
  return [...signerActions(progress), ...issuerActions(progress)];
}

/** Makes the next anchor sign when it may; until then the old one, or else none. */
function signerActions(progress: Signing): readonly AnchorAction[] {
  const { observed, rotation, from, maySign, signed, isFirst } = progress;
  const old = rotation.committed ? undefined : from?.generation;
  const wanted = maySign || signed || mustSign(progress) ? rotation.to : old;
  if (wanted === undefined && isFirst) return [];
  return pointSigner(observed, wanted);
}

/** Whether the next anchor has to sign, because the rotation cannot be rolled back, and its key is not lost. */
function mustSign({ rotation, key }: Signing): boolean {
  return (rotation.retiring === true || rotation.committed === true) && key !== undefined;
}

/** Reissues the issuer if the next anchor did not sign it, or if it lacks a bridge that pods need. */
function issuerActions(progress: Signing): readonly AnchorAction[] {
  const { observed, rotation, maySign, signed, bridged, now } = progress;
  const { issuer, signer } = observed;
  if (signer !== rotation.to || issuer.state !== 'issued') return [];
  const lacksBridge = bridged && !leadsTo(observed, rotation.from, now);
  const isDue = signed ? lacksBridge && !rotation.retiring : maySign || mustSign(progress);
  return isDue ? [{ do: 'renew-issuer', revision: issuer.revision }] : [];
}
