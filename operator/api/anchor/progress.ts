import { type AnchorKey, isBridge, type Time, verifies } from './chain';
import type { Guard } from './guards';
import { anchorsKnownTo, heldSince, laggardsOf } from './knowledge';
import type { AnchorMemory, Rotation } from './memory';
import type { ObservedAnchor, ObservedTrust } from './observed';
import type { Laggards } from './plan';
import { bundledKeys } from './remember';
import { anchorOf, wayOf } from './rotation-target';
import { leavesTurnedBy, spreadBy } from './times';
import { isAlive } from './unseen-issuer';

/** A rotation that goes on, and all that it goes by. */
export interface Rotating {
  readonly observed: ObservedTrust;
  readonly memory: AnchorMemory;
  readonly rotation: Rotation;
  readonly now: Time;
  readonly guards: ReadonlySet<Guard>;
}

/** The facts of a rotation: each from what is to be seen now, and since when it has been so. */
export interface Progress extends Rotating {
  readonly to: ObservedAnchor | undefined;
  readonly from: ObservedAnchor | undefined;
  readonly key: AnchorKey | undefined;
  readonly way: 'bridge' | 'restarts';
  /** True where nobody has to be taken along. */
  readonly isFirst: boolean;
  readonly minted: boolean;
  /** The bundle that new pods are given holds the new anchor. */
  readonly announced: boolean;
  /** The old anchor has certified the new one. */
  readonly bridged: boolean;
  /** From when on whoever starts is given all anchors that it has to know, as far as there are certificates of them. */
  readonly givenOut: Time;
  /** Pods that do not know the new anchor. */
  readonly laggards: Laggards;
  readonly adopted: boolean;
  readonly maySign: boolean;
  /** The new anchor signed the issuer. */
  readonly signed: boolean;
  /** Identity is known to work with what it signed, and whoever knows the old anchor accepts that. */
  readonly takenUp: boolean;
  /** The same, and nobody can come up any more who started with what was signed before. */
  readonly signing: boolean;
  readonly leavesTurned: boolean;
  /** It signs, however few know it: otherwise nobody would. */
  readonly lastCall: boolean;
  /** Other clusters may be told that the old anchor signs no more. */
  readonly mayCommit: boolean;
  /** The old anchor may go, by all that is to be seen. */
  readonly mayRetire: boolean;
  /** The old anchor's key is here, and may sign again. */
  readonly hasWayBack: boolean;
  /** It is to be taken back, and cannot be: nothing is done but to keep what there is, until that is not asked for any more. */
  readonly held: boolean;
  /** Nothing that the new anchor signed lives any more. */
  readonly hasReturned: boolean;
}

/** Finds out how far a rotation is. */
export function progressOf(rotating: Rotating): Progress {
  const facts = minting(rotating);
  const spread = spreading(rotating, facts);
  const signed = signing(rotating, facts, spread);
  const { guards, observed } = rotating;
  const { rotation } = facts;
  const membersAdopted = !guards.has('members-adopted') || haveMembersAdopted(observed, rotation.from, facts.key);
  const signerMoved =
    !guards.has('signer-moved') || (observed.signer === rotation.to && observed.issuer.state === 'issued');
  const mayCommit = signed.leavesTurned && signerMoved && facts.minted && !hasUnseen(observed);
  const back = returning(rotating, facts, signed);
  const mayRetire = mayCommit && spread.adopted && membersAdopted;
  const progress = { ...rotating, ...facts, ...spread, ...signed, ...back, mayCommit, mayRetire };
  return { ...progress, rotation: rememberedRotation(progress) };
}

type Minting = Pick<Progress, 'to' | 'from' | 'key' | 'way' | 'minted' | 'bridged' | 'isFirst' | 'rotation'>;

function minting({ observed, memory, rotation: before }: Rotating): Minting {
  const to = observed.anchors.find(({ generation }) => generation === before.to);
  const certificate = to?.certificate;
  const key = certificate?.key;
  const isOther = key !== undefined && before.key !== undefined && before.key !== key;
  const rotation = isOther ? anew(before, anchorOf(observed, before.from)) : before;
  const from = anchorOf(observed, rotation.from);
  const bridged = certificate !== undefined && isBridge(certificate) && certificate.signer === rotation.from;
  return {
    to,
    from,
    key,
    rotation,
    minted: to?.state === 'issued' && key !== undefined,
    bridged,
    way: bridged ? 'bridge' : wayOf(observed, rotation.from),
    isFirst: rotation.from === undefined && !knowsOthers(observed, memory, key),
  };
}

/**
 * With another key than the one that was announced, nothing of what was seen counts. Where the old anchor signs no more,
 * or is gone, the mesh lives by the one whose key is lost.
 */
function anew({ from, to, key, began, why, committed, retiring }: Rotation, old: ObservedAnchor | undefined): Rotation {
  const living = committed || (retiring && old === undefined) ? key : from;
  return { from: living, to, began, why };
}

/**
 * Whoever has to be taken along: an anchor that is not of here, or pods that were given one that nobody remembers. Anchors
 * of other clusters are in the bundle of one that joins them before anybody here could live by them.
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

/** Since when something has been so without a break. */
function sinceNow(isSo: boolean, since: Time | undefined, now: Time): Time | undefined {
  return isSo ? (since ?? now) : undefined;
}

/** The anchors that every pod has to know before the old one goes: the next one, and those of other clusters. */
export function neededKeys(observed: ObservedTrust, key: AnchorKey): readonly AnchorKey[] {
  return [...new Set([key, ...memberKeys(observed)])];
}

/** The anchors by which other clusters sign, or may. */
export function memberKeys({ members, policy }: ObservedTrust): readonly AnchorKey[] {
  return members.filter(({ name }) => policy.members.includes(name)).flatMap((member) => member.signing);
}

/** All pods of all other clusters know the new anchor. One that is away does not. */
function doMembersKnow(
  { policy, members }: Pick<ObservedTrust, 'policy' | 'members'>,
  key: AnchorKey | undefined,
): boolean {
  return policy.members.every((name) => {
    const member = members.find((one) => one.name === name);
    return member !== undefined && key !== undefined && member.adopted.includes(key);
  });
}

/** All other clusters sign without the old anchor, and their pods know the new one. One that is away has not. */
function haveMembersAdopted(
  { policy, members }: ObservedTrust,
  from: AnchorKey | undefined,
  key: AnchorKey | undefined,
): boolean {
  const isSigned = members.some(({ name, signing }) => {
    return policy.members.includes(name) && from !== undefined && signing.includes(from);
  });
  return doMembersKnow({ policy, members }, key) && !isSigned;
}

type Signing = Pick<Progress, 'maySign' | 'signed' | 'takenUp' | 'signing' | 'leavesTurned' | 'lastCall'> & {
  readonly since?: Time;
};

function signing({ observed, memory, now, guards }: Rotating, facts: Minting, spread: Spreading): Signing {
  const { key, isFirst, way, minted, rotation } = facts;
  const { policy, issuer } = observed;
  const signed = key !== undefined && issuer.chain?.signer === key && issuer.state !== 'missing';
  const holds = way === 'restarts' || rotation.retiring === true || leadsTo(observed, rotation.from, now);
  const steady = guards.has('taken-up') ? memory.issuer?.steady : now;
  const since = sinceNow(signed && holds && steady !== undefined, rotation.signing ?? steady, now);
  const turned = since !== undefined && now >= leavesTurnedBy(since, policy);
  const isGiven = minted && spread.announced;
  const lastCall = isGiven && isLastCall(observed, rotation, now);
  return {
    maySign: (minted && isFirst) || lastCall || (isGiven && mayMove({ observed, guards }, facts, spread)),
    lastCall,
    signed,
    takenUp: signed && holds && memory.issuer?.takenUp !== undefined,
    signing: since !== undefined,
    leavesTurned: since !== undefined && (turned || !guards.has('leaves-turned')),
    since,
  };
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

/** Tells whether there are proxies that may know the old anchor alone, and that no restart here reaches. */
export function hasUnseen({ unseen = [] }: ObservedTrust): boolean {
  return unseen.length > 0;
}

/**
 * Tells whether it is the last call. Where nobody can renew the issuer, pods that do not know the new anchor are cut off
 * when it signs, but all of them are when nobody does.
 */
function isLastCall({ issuer, signer, policy }: ObservedTrust, { from }: Rotation, now: Time): boolean {
  const { chain } = issuer;
  const isHeld = chain !== undefined && chain.signer === from && signer === undefined;
  return isHeld && now >= chain.notAfter - policy.lag - policy.patience;
}

/** Tells whether those who know only this anchor accept what identity issues. */
export function leadsTo({ issuer: { chain } }: ObservedTrust, key: AnchorKey | undefined, now: Time): boolean {
  if (chain === undefined || key === undefined) return false;
  // A clock that is ahead is no reason to doubt what was issued.
  return verifies({ ...chain, notBefore: now }, new Set([key]), now);
}

type Returning = Pick<Progress, 'hasWayBack' | 'held' | 'hasReturned' | 'rotation'>;

/** A rotation is taken back as long as there is an anchor to go back to, and to its end once the new one is taken out. */
function returning(rotating: Rotating, { rotation: before, from }: Minting, { signed }: Signing): Returning {
  const { observed, guards } = rotating;
  const { policy, signer } = observed;
  const isFinal = before.retiring === true || (before.committed === true && guards.has('committed'));
  // Whoever signs instead of the operator does so as before.
  const isHere = from?.state === 'issued' || (signer === 'other' && !signed);
  const hasWayBack = isHere && !isFinal && before.to > 0;
  const aborting = before.withdrawing === true || (policy.abort && hasWayBack);
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
  // It may have signed what is still on its way.
  if (observed.issuer.state === 'issuing') return false;
  if (from === undefined && signing === undefined) return true;
  // What was on its way then may have come and gone since, unseen.
  return returned !== undefined && signsAgain(rotating) && now >= leavesTurnedBy(returned, observed.policy);
}

/** The old anchor signed the issuer, and nobody works with another one. */
function signsAgain({ observed, memory, rotation }: Pick<Rotating, 'observed' | 'memory' | 'rotation'>): boolean {
  return observed.issuer.chain?.signer === rotation.from && memory.issuer?.steady !== undefined;
}

type Known = Omit<Progress, 'rotation'> & { readonly rotation: Rotation; readonly since?: Time };

function rememberedRotation(known: Known): Rotation {
  const { rotation, since } = known;
  // Of an anchor that is lost, too: the one that comes in its place is another.
  const key = known.key ?? rotation.key;
  return {
    ...(rotation.from !== undefined && { from: rotation.from }),
    to: rotation.to,
    ...(key !== undefined && { key }),
    began: rotation.began,
    why: rotation.why,
    ...defined({ signing: since, ...sincesOf(known) }),
    ...finals(known),
    ...(rotation.aborting && { aborting: true }),
  };
}

/** Steps behind which there is no way back: none is taken while nothing is to be done, or while it is to be taken back. */
function finals({ rotation, observed, mayCommit, mayRetire, hasReturned, held }: Known): Partial<Rotation> {
  const { paused, members } = observed.policy;
  const isOn = !paused && !held && !rotation.aborting;
  return {
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
