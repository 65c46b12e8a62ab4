import type { BridgeSigner } from '../trust-anchor';
import { leastEnd } from './answers';
import { givesUpBridge } from './bridge-deadline';
import { isCertified } from './certified';
import { type AnchorKey, type Time, verifies } from './chain';
import type { Guard } from './guards';
import { anchorsKnownTo, heldSince, laggardsOf } from './knowledge';
import { haveAllStartedAfter } from './leaves';
import { doMembersKnow, haveMembersAdopted, haveMembersMoved, memberKeys } from './members';
import type { AnchorMemory, Rotation } from './memory';
import type { ObservedAnchor, ObservedTrust } from './observed';
import { type Proof, proofOf } from './pairs';
import type { Laggards } from './plan';
import { isCompromised } from './policy';
import { bundledKeys } from './remember';
import { leavesTurnedBy, spreadBy } from './times';
import { isAlive } from './unseen-issuer';
import { anchorOf, bridgeEnd, bridgeSigner, isBridged } from './way';

/** A rotation in progress, and everything that determines it. */
export interface Rotating {
  readonly observed: ObservedTrust;
  readonly memory: AnchorMemory;
  readonly rotation: Rotation;
  readonly now: Time;
  readonly guards: ReadonlySet<Guard>;
}

/** The facts of a rotation, each from the current observation, with since when it has held. */
export interface Progress extends Rotating {
  readonly to: ObservedAnchor | undefined;
  readonly from: ObservedAnchor | undefined;
  readonly key: AnchorKey | undefined;
  readonly way: 'bridge' | 'restarts';
  /** Who signs the bridge that there is not yet; undefined if nobody does. */
  readonly bridgeBy: BridgeSigner | undefined;
  /** True if no pods have to be migrated. */
  readonly isFirst: boolean;
  /** The key of the old anchor leaked: speed counts, and what is signed with it proves nothing. */
  readonly isEmergency: boolean;
  readonly minted: boolean;
  /** The bundle for new pods contains the new anchor. */
  readonly announced: boolean;
  /** The old anchor has signed the new one. */
  readonly bridged: boolean;
  /** The time from which on a pod that starts gets all required anchors, as far as there are certificates of them. */
  readonly givenOut: Time;
  /** Pods that do not know the new anchor. */
  readonly laggards: Laggards;
  readonly adopted: boolean;
  readonly maySign: boolean;
  /** The new anchor signed the issuer. */
  readonly signed: boolean;
  /** Identity is known to use what it signed, and pods that know the old anchor accept that. */
  readonly takenUp: boolean;
  /** The same, and no replica can start any more with what was signed before. */
  readonly signing: boolean;
  readonly leavesTurned: boolean;
  /** Proxies confirm it. */
  readonly proof: Proof;
  /** It signs, however few pods know it: otherwise nothing would sign. */
  readonly lastCall: boolean;
  /** Other clusters may be told that the old anchor no longer signs. */
  readonly mayCommit: boolean;
  /** All observations allow retiring the old anchor. */
  readonly mayRetire: boolean;
  /** The old anchor's key is here, and may sign again. */
  readonly hasWayBack: boolean;
  /** A rollback is requested, but impossible: everything is kept as is, until the request is withdrawn. */
  readonly held: boolean;
  /** Nothing that the new anchor signed is valid any more. */
  readonly hasReturned: boolean;
}

/** Returns how far a rotation is. */
export function progressOf(rotating: Rotating): Progress {
  const facts = minting(rotating);
  const spread = spreading(rotating, facts);
  const signed = signing(rotating, facts, spread);
  const { guards, observed } = rotating;
  const { rotation } = facts;
  const membersAdopted = !guards.has('members-adopted') || haveMembersAdopted(observed, rotation.from, facts.key);
  const membersMoved = !guards.has('members-certified') || haveMembersMoved(observed, rotation.from, facts.key);
  const signerMoved =
    !guards.has('signer-moved') || (observed.signer === rotation.to && observed.issuer.state === 'issued');
  const proof = proofOf({ ...rotating, key: facts.key, signing: signed.since });
  // Who has the old anchor's key presents what he likes.
  const isAsked = guards.has('probed') && !facts.isEmergency;
  const proven = !isAsked || proof.state === 'unasked' || proof.state === 'passed';
  const mayCommit = signed.leavesTurned && proven && signerMoved && facts.minted && !hasUnseen(observed);
  const back = returning(rotating, facts, signed);
  const mayRetire = mayCommit && spread.adopted && membersAdopted && membersMoved;
  const progress = { ...rotating, ...facts, ...spread, ...signed, ...back, proof, mayCommit, mayRetire };
  return { ...progress, rotation: rememberedRotation(progress) };
}

type Minting = Pick<
  Progress,
  'to' | 'from' | 'key' | 'way' | 'bridgeBy' | 'minted' | 'bridged' | 'isFirst' | 'isEmergency' | 'rotation'
>;

function minting({ observed, memory, rotation: before, now }: Rotating): Minting {
  const to = observed.anchors.find(({ generation }) => generation === before.to);
  const certificate = to?.certificate;
  const key = certificate?.key;
  const isOther = key !== undefined && before.key !== undefined && before.key !== key;
  const begun = isOther ? anew(before, anchorOf(observed, before.from)) : before;
  const from = anchorOf(observed, begun.from);
  const isMade = to !== undefined && isBridged(to, begun.from, observed, now);
  // Of what an issuer signs, nothing is checked before.
  const isNew = to?.askedSigner === 'issuer' && observed.issuer.chain?.signer !== key;
  const isShort = isNew && isMade && (bridgeEnd(to, begun.from) ?? 0) < leastEnd({ observed, rotation: begun, now });
  const bridged = isMade && !isShort;
  const isAwaited = !bridged && from === undefined && bridgeSigner(observed, begun.from, begun) !== undefined;
  const rotation = isAwaited && givesUpBridge(observed, begun, now) ? { ...begun, unbridged: true } : begun;
  const bridgeBy = bridgeSigner(observed, rotation.from, rotation);
  const isFirst = rotation.from === undefined && !knowsOthers(observed, memory, key);
  return {
    to,
    from,
    key,
    rotation,
    minted: key !== undefined && isMinted(to, { isFirst, retiring: rotation.retiring === true }, observed),
    bridged,
    bridgeBy,
    way: bridged || bridgeBy !== undefined ? 'bridge' : 'restarts',
    isFirst,
    isEmergency: isCompromised(observed, rotation.from),
  };
}

/** Another cluster certifies a first anchor, and the one that a rotation leaves: each is there, and signs, without that. */
function isMinted(
  to: ObservedAnchor | undefined,
  { isFirst, retiring }: { readonly isFirst: boolean; readonly retiring: boolean },
  observed: ObservedTrust,
): boolean {
  return to?.state === 'issued' || ((isFirst || retiring) && isAsking(to, observed));
}

/** Whether an anchor is certified by another cluster, or waits for that, and may sign meanwhile. */
export function isAsking(anchor: ObservedAnchor | undefined, { policy }: ObservedTrust): boolean {
  return policy.certifiedBy !== undefined && anchor?.askedSigner === 'request';
}

/**
 * Starts over: with another key than the announced one, no observation counts. If the old anchor no longer signs, or is
 * gone, the mesh uses the one whose key is lost.
 */
function anew({ from, to, key, began, why, committed, retiring }: Rotation, old: ObservedAnchor | undefined): Rotation {
  const isLost = committed === true || (retiring === true && old === undefined);
  // A key that was made here, and is lost, signs nothing any more.
  return { from: isLost ? key : from, to, began, why, ...(isLost && { unbridged: true }) };
}

/**
 * Whether pods have to be migrated: from an external anchor, or with an unknown bundle. Anchors of other clusters are
 * in the bundle of a cluster that joins them before any of its pods could use them.
 */
function knowsOthers(observed: ObservedTrust, { bundles }: AnchorMemory, key: AnchorKey | undefined): boolean {
  const { bundle, anchors, pods, policy, members, issuer } = observed;
  const isNew = !isAlive(observed) || (key !== undefined && issuer.chain?.signer === key);
  const theirs = isNew ? members.flatMap(({ roots = [] }) => roots) : [];
  const own = new Set([...anchors.map(({ certificate }) => certificate?.key), ...theirs]);
  if ((bundle?.anchors ?? []).some((anchor) => !own.has(anchor.key))) return true;
  return pods.some(
    ({ hash, since }) => hash !== undefined && anchorsKnownTo({ hash, since }, bundles, policy).size === 0,
  );
}

type Spreading = Pick<Progress, 'announced' | 'laggards' | 'adopted' | 'givenOut'> & { readonly settled: boolean };

function spreading({ observed, memory, now, guards }: Rotating, { key, isFirst, rotation }: Minting): Spreading {
  const { policy } = observed;
  const since = sinceNow(key !== undefined && bundledKeys(observed).has(key), rotation.announced, now);
  const announced = since !== undefined && (!guards.has('announced') || now >= spreadBy(since, policy));
  const needed = key === undefined ? [] : neededKeys(observed, key);
  const laggards = isFirst ? { pods: 0, workloads: [] } : laggardsOf(observed.pods, needed, memory.bundles, policy);
  const held = heldSince(
    memory.bundles,
    needed.filter((one) => bundledKeys(observed).has(one)),
  );
  const quiet = sinceNow(announced && laggards.pods === 0, rotation.adopted, now);
  const settled = quiet !== undefined && (!guards.has('settled') || now >= quiet + policy.lag);
  const givenOut = spreadBy(held ?? now, policy);
  return { announced, givenOut, laggards, settled, adopted: settled || isFirst || !guards.has('adopted') };
}

/** Returns since when something has held without interruption. */
function sinceNow(isSo: boolean, since: Time | undefined, now: Time): Time | undefined {
  return isSo ? (since ?? now) : undefined;
}

/**
 * Returns the anchors that every pod must know before the old one is removed: the next one, and those of other
 * clusters.
 */
export function neededKeys(observed: ObservedTrust, key: AnchorKey): readonly AnchorKey[] {
  return [...new Set([key, ...memberKeys(observed)])];
}

type Signing = Pick<Progress, 'maySign' | 'signed' | 'takenUp' | 'signing' | 'leavesTurned' | 'lastCall'> & {
  readonly since?: Time;
};

function signing({ observed, memory, now, guards }: Rotating, facts: Minting, spread: Spreading): Signing {
  const { key, isFirst, way, minted, rotation, isEmergency } = facts;
  const { policy, issuer } = observed;
  const signed = key !== undefined && issuer.chain?.signer === key && issuer.state !== 'missing';
  const holds = way === 'restarts' || rotation.retiring === true || leadsTo(observed, rotation.from, now);
  const steady = guards.has('taken-up') ? memory.issuer?.steady : now;
  const since = sinceNow(signed && holds && steady !== undefined, rotation.signing ?? steady, now);
  const isTurned = (time: Time): boolean =>
    now >= leavesTurnedBy(time, policy) || (isEmergency && haveAllStartedAfter(observed, time, now));
  const turned = since !== undefined && isTurned(since);
  const isGiven = minted && spread.announced;
  const lastCall = isGiven && isLastCall(observed, rotation, now);
  return {
    maySign:
      (minted && isFirst && mayStart(observed, memory, facts, now)) ||
      lastCall ||
      (isGiven && mayMove({ observed, guards }, facts, spread)),
    lastCall,
    signed,
    takenUp: signed && holds && memory.issuer?.takenUp !== undefined,
    signing: since !== undefined,
    leavesTurned: since !== undefined && (turned || !guards.has('leaves-turned')),
    since,
  };
}

/** A first anchor is certified before it signs, if another cluster answers soon: leaves of before would not lead there. */
function mayStart(observed: ObservedTrust, memory: AnchorMemory, { to, rotation }: Minting, now: Time): boolean {
  const { certifiedBy, patience } = observed.policy;
  if (certifiedBy === undefined || to === undefined || now >= rotation.began + patience) return true;
  return isCertified(to, observed, memory, now);
}

function mayMove(
  { observed, guards }: Pick<Rotating, 'observed' | 'guards'>,
  { way, bridged, rotation, key }: Minting,
  { settled }: Spreading,
): boolean {
  if (way === 'bridge') return bridged || rotation.retiring === true || !guards.has('bridged');
  const isAdopted = settled && doMembersKnow(observed, key) && !hasUnseen(observed);
  return isAdopted || !guards.has('adopted-first');
}

/** Whether there are proxies that may know only the old anchor, and that no restart here reaches. */
export function hasUnseen({ unseen = [] }: ObservedTrust): boolean {
  return unseen.length > 0;
}

/**
 * Whether it is the last moment to sign. If the issuer cannot be renewed, pods that do not know the new anchor are cut
 * off when it signs, but all of them are when nothing signs.
 */
function isLastCall({ issuer, signer, policy }: ObservedTrust, { from }: Rotation, now: Time): boolean {
  const { chain } = issuer;
  const isHeld = chain !== undefined && chain.signer === from && signer === undefined;
  return isHeld && now >= chain.notAfter - policy.lag - policy.patience;
}

/** Whether pods that know only this anchor accept what identity issues. */
export function leadsTo({ issuer: { chain } }: ObservedTrust, key: AnchorKey | undefined, now: Time): boolean {
  if (chain === undefined || key === undefined) return false;
  // A clock that is ahead does not invalidate what was issued.
  return verifies({ ...chain, notBefore: now }, new Set([key]), now);
}

type Returning = Pick<Progress, 'hasWayBack' | 'held' | 'hasReturned' | 'rotation'>;

/**
 * Whether a rotation is rolled back: as long as there is an anchor to return to, and to the end once the new one is
 * being removed.
 */
function returning(
  rotating: Rotating,
  { rotation: before, from, key, isEmergency }: Minting,
  { signed }: Signing,
): Returning {
  const { observed, guards } = rotating;
  const { policy, signer } = observed;
  const isFinal = before.retiring === true || (before.committed === true && guards.has('committed'));
  // An external signer continues as before.
  const isHere = from?.state === 'issued' || (signer === 'other' && !signed);
  // Nothing returns to an anchor whose key leaked; from one, a rotation does by itself.
  const hasWayBack = isHere && !isFinal && before.to > 0 && !isEmergency;
  const isAsked = policy.abort || isCompromised(observed, key ?? before.key);
  const aborting = before.withdrawing === true || (isAsked && hasWayBack);
  const rotation = { ...before, aborting };
  return {
    hasWayBack,
    held: policy.abort && !aborting && !isFinal,
    rotation,
    hasReturned: aborting && !signed && isBack({ ...rotating, rotation }, from),
  };
}

function isBack(rotating: Rotating, from: ObservedAnchor | undefined): boolean {
  const { observed, rotation, guards, now } = rotating;
  const { signing, returned } = rotation;
  if (!guards.has('returned')) return true;
  // It may have signed what is still in flight.
  if (observed.issuer.state === 'issuing') return false;
  if (from === undefined && signing === undefined) return true;
  // What was in flight then may have come and gone unobserved.
  return returned !== undefined && signsAgain(rotating) && now >= leavesTurnedBy(returned, observed.policy);
}

/** Whether the old anchor signed the issuer, and nothing uses another one. */
function signsAgain({ observed, memory, rotation }: Pick<Rotating, 'observed' | 'memory' | 'rotation'>): boolean {
  return observed.issuer.chain?.signer === rotation.from && memory.issuer?.steady !== undefined;
}

type Known = Omit<Progress, 'rotation'> & { readonly rotation: Rotation; readonly since?: Time };

function rememberedRotation(known: Known): Rotation {
  const { rotation, since, proof } = known;
  // Also for a lost anchor: its replacement has another key.
  const key = known.key ?? rotation.key;
  return {
    ...(rotation.from !== undefined && { from: rotation.from }),
    to: rotation.to,
    ...(key !== undefined && { key }),
    began: rotation.began,
    why: rotation.why,
    ...defined({ signing: since, ...sincesOf(known) }),
    ...(proof.oldChains.length > 0 && { oldChains: proof.oldChains }),
    ...(rotation.unbridged && { unbridged: true }),
    ...finals(known),
    ...(rotation.aborting && { aborting: true }),
  };
}

/** Returns irreversible steps: none is taken during a pause or a rollback. */
function finals(known: Known): Partial<Rotation> {
  const { rotation, observed, key, adopted, mayCommit, mayRetire, hasReturned, held } = known;
  const { paused, members, certifies = [] } = observed.policy;
  const isOn = !paused && !held && !rotation.aborting;
  const mayCertify = certifies.length > 0 && mayCommit && adopted && doMembersKnow(observed, key);
  return {
    ...((rotation.certifies || (mayCertify && isOn)) && { certifies: true }),
    ...((rotation.committed || (mayCommit && isOn && members.length > 0)) && { committed: true }),
    ...((rotation.retiring || (mayRetire && isOn)) && { retiring: true }),
    ...((rotation.withdrawing || (hasReturned && !paused)) && { withdrawing: true }),
  };
}

function sincesOf(known: Known): Pick<Rotation, 'announced' | 'adopted' | 'dropped' | 'returned'> {
  const { rotation, key, observed, now, announced, laggards } = known;
  const inBundle = bundledKeys(observed);
  const isAlone = observed.anchors.every(({ generation }) => generation === rotation.to);
  return {
    announced: sinceNow(key !== undefined && inBundle.has(key), rotation.announced, now),
    adopted: sinceNow(announced && laggards.pods === 0, rotation.adopted, now),
    dropped: sinceNow(rotation.retiring === true && isAlone, rotation.dropped, now),
    returned: sinceNow(rotation.aborting === true && signsAgain(known), rotation.returned, now),
  } as Pick<Rotation, 'announced' | 'adopted' | 'dropped' | 'returned'>;
}

function defined<T extends object>(object: T): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: NonNullable<T[K]>;
  };
}
