import { DAY } from '#base/time-units';
import type { AnchorKey, Time } from './chain';
import { mustGo } from './leaks';
import type { AnchorMemory, Rotation } from './memory';
import type { ObservedAnchor, ObservedTrust } from './observed';
import { earliest } from './times';
import { foreignAnchor, foreignAnchors } from './unseen-issuer';
import { anchorOf, bridgeSigner, restartableIn, wayOf } from './way';
import { neededTime, worstPlan } from './worst-plan';

/** No rotation is in progress. */
export interface Rest {
  readonly kind: 'rest';
  /** The time at which the next one starts by itself. */
  readonly due?: Time;
}

/** The state of the anchor: a rotation that is in progress or starts, or none. */
export type Target = { readonly kind: 'rotate'; readonly rotation: Rotation } | Rest;

/** Decides whether a rotation continues, starts, or is found half done. */
export function rotationTarget(observed: ObservedTrust, memory: AnchorMemory, now: Time): Target {
  const { policy } = observed;
  if (memory.rotation !== undefined) return { kind: 'rotate', rotation: memory.rotation };
  const found = halfDone(observed, memory, now);
  if (found !== undefined) return { kind: 'rotate', rotation: { ...found, ...lostKey(observed, memory, found.from) } };
  const due = dueTime(observed, memory);
  const asked = policy.rotateNow !== undefined && policy.rotateNow !== memory.rotated;
  const from = livingAnchor(observed, memory);
  const isEmergency = mustGo(observed, from);
  const isDue = due !== undefined && now >= due && (observed.inWindow || isShort(observed, now));
  if (policy.paused || policy.abort || (!asked && !isDue && !isEmergency)) return { kind: 'rest', due };
  const to = nextGeneration(observed, memory);
  const ending = isIssuersEnd(observed)
    ? 'the identity issuer ends, and nothing can renew it'
    : 'the anchor ends within renewBefore';
  const reason = asked ? `rotateNow is "${policy.rotateNow}"` : ending;
  const why = isEmergency ? 'the key of the anchor leaked, or the anchor certified one that did' : reason;
  return { kind: 'rotate', rotation: { from, to, began: now, why, ...lostKey(observed, memory, from) } };
}

function lostKey(
  observed: ObservedTrust,
  memory: AnchorMemory,
  from: AnchorKey | undefined,
): Pick<Rotation, 'unbridged'> {
  return isKeyLost(observed, memory, { from }) ? { unbridged: true } : {};
}

/** A key that was made in this cluster and is gone from it exists nowhere: no user can sign a bridge with it. */
export function isKeyLost(
  observed: ObservedTrust,
  { current }: AnchorMemory,
  { from, committed, retiring }: Pick<Rotation, 'from' | 'committed' | 'retiring'>,
): boolean {
  const isOwn = current?.key === from && (current?.lost === true || current?.generation !== undefined);
  // In the end, the operator removes it.
  return isOwn && !committed && !retiring && anchorOf(observed, from) === undefined;
}

function livingAnchor(observed: ObservedTrust, { current }: AnchorMemory): AnchorKey | undefined {
  return observed.issuer.chain?.signer ?? current?.key ?? foreignAnchor(observed);
}

/** Returns a rotation that another operator started, or that is not recorded. */
function halfDone(observed: ObservedTrust, memory: AnchorMemory, now: Time): Rotation | undefined {
  const { anchors, signer, issuer } = observed;
  const own = anchors.toSorted((a, b) => b.generation - a.generation);
  const [highest, ...older] = own;
  const pointed = own.find(({ generation }) => generation === signer);
  const living = livingAnchor(observed, memory) ?? pointed?.certificate?.key;
  const begin = (to: number, why: string, from: AnchorKey | undefined): Rotation => ({ from, to, began: now, why });
  if (living === undefined) {
    // Its Secret has unknown content, which is read first. A mesh on other anchors can wait.
    if (issuer.state === 'issued' || foreignAnchors(observed).length > 0) return undefined;
    if (highest === undefined && observed.policy.abort) return undefined;
    const to = highest?.generation ?? nextGeneration(observed, memory);
    return begin(to, 'there is no anchor yet', older.find(({ certificate }) => certificate)?.certificate?.key);
  }
  const lost = lostGeneration(highest, living);
  if (lost !== undefined) return begin(lost, 'the key of what signs is not here', living);
  // An external anchor is not an error: its rotation starts when it is due.
  if (highest?.certificate === undefined) return undefined;
  const holder = own.find(({ certificate }) => certificate?.key === living);
  if (holder === undefined) return begin(highest.generation, 'the key of what signs is not here', living);
  if (highest !== holder) return begin(highest.generation, 'it was found begun', living);
  const left = older.find(({ certificate }) => certificate !== undefined)?.certificate?.key;
  const before = left ?? forgottenAnchor(observed, memory, living);
  return before === undefined ? undefined : begin(highest.generation, 'the anchor before it was found', before);
}

/** Returns the generation whose key was lost, if a new key of it asks to be certified elsewhere. */
function lostGeneration(anchor: ObservedAnchor | undefined, living: AnchorKey): number | undefined {
  return anchor?.request === undefined || anchor.request.key === living ? undefined : anchor.generation;
}

/**
 * Returns an anchor that is kept in the bundle, and of which nothing else is left, not even a record: what it signed is
 * unknown.
 */
function forgottenAnchor(
  { kept, members }: ObservedTrust,
  { current }: AnchorMemory,
  living: AnchorKey,
): AnchorKey | undefined {
  if (current !== undefined) return undefined;
  const theirs = new Set(members.flatMap(({ roots = [] }) => roots));
  return kept.find((key) => key !== living && !theirs.has(key));
}

/** Returns the generation after all that exist or were used; the last one, if it was created without a record. */
function nextGeneration({ anchors }: ObservedTrust, { current }: AnchorMemory): number {
  const last = current?.generation ?? 0;
  const begun = anchors.find(
    ({ certificate, state, generation }) => certificate === undefined && state === 'issuing' && generation > last,
  );
  return begun?.generation ?? Math.max(last, ...anchors.map(({ generation }) => generation)) + 1;
}

/** Returns the anchor that signs, if its key is in the cluster. */
export function signingAnchor(observed: ObservedTrust): ObservedAnchor | undefined {
  return anchorOf(observed, observed.issuer.chain?.signer);
}

/**
 * Returns when the issuer ends if nothing can renew it as it is: the key that signed it is not in the cluster, and
 * nothing outside signs for it. Undefined if something can. By then, another anchor has to sign.
 */
export function unrenewedUntil(observed: Pick<ObservedTrust, 'anchors' | 'issuer' | 'signer'>): Time | undefined {
  const { issuer, signer } = observed;
  const isRenewed = signer === 'other' || anchorOf(observed, issuer.chain?.signer) !== undefined;
  return isRenewed ? undefined : issuer.chain?.notAfter;
}

/** Whether the first to expire is an issuer that cannot be renewed: the mesh stops when it expires. */
function isIssuersEnd(observed: ObservedTrust): boolean {
  const end = unrenewedUntil(observed);
  return end !== undefined && end === endOfSigning(observed);
}

/** Returns the expiry of what signs: of the anchor, and of an issuer that cannot be renewed. */
export function endOfSigning(observed: ObservedTrust): Time | undefined {
  return earliest(endOfRoot(observed, observed.issuer.chain?.signer), unrenewedUntil(observed));
}

/**
 * Returns the expiry of an anchor: the latest of its certificates in the bundle, as the same key renewed is the same
 * anchor; for an anchor outside the bundle, that of the certificate in its Secret.
 */
export function endOfRoot({ bundle, anchors }: ObservedTrust, key: AnchorKey | undefined): Time | undefined {
  const given = (bundle?.anchors ?? []).filter((it) => it.key === key);
  const held = anchorOf({ anchors }, key)?.certificate;
  const ends = (given.length > 0 || held === undefined ? given : [held]).map(({ notAfter }) => notAfter);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/**
 * Returns the expiry of the old anchor; if the issuer cannot be renewed, that of the issuer, if earlier. With the record
 * of the anchor, its expiry before it was extended.
 */
export function endOfOld(
  observed: ObservedTrust,
  { from }: Rotation,
  current?: AnchorMemory['current'],
): Time | undefined {
  const before = current?.key === from ? current?.end : undefined;
  return earliest(endOfRoot(observed, from), before, unrenewedUntil(observed));
}

/**
 * Returns the time that the worst plan takes until the old anchor may expire, for some workloads, or for all that can be
 * restarted: it does not wait for others to restart.
 */
export function timeNeeded(observed: ObservedTrust, way: 'bridge' | 'restarts', workloads?: number): number {
  const all = workloads ?? restartableIn(observed).size;
  return neededTime(worstPlan(observed.policy, all, way));
}

/** The margin, as a share of the worst plan's time. */
export const CHANCE = 0.5;

function timeNeededNow(observed: ObservedTrust): number {
  return timeNeeded(observed, wayOf(observed, observed.issuer.chain?.signer)) * (1 + CHANCE);
}

/**
 * Returns the time at which the rotation starts by itself: before the expiry by what is configured, or by what it
 * takes, if that is more.
 */
function dueTime(observed: ObservedTrust, { current }: AnchorMemory): Time | undefined {
  const present = endOfSigning(observed);
  if (present === undefined) return undefined;
  // An extension is not a rotation.
  const isSame = current?.key === observed.issuer.chain?.signer;
  const end = earliest(present, isSame ? current?.end : undefined) ?? present;
  const { renewBefore } = observed.policy;
  const lead = awaitedLead(observed);
  if (!isIssuersEnd(observed)) return end - (lead ?? renewBefore);
  return end - Math.max(timeNeededNow(observed), lead ?? 0);
}

/**
 * Returns how long before the end a rotation starts whose bridge is signed elsewhere; undefined for any other. That takes
 * as long as a user does, and waiting for it restarts nothing: a week, as far as anchors live for two, and then restarts
 * must be in time.
 */
function awaitedLead(observed: ObservedTrust): number | undefined {
  const by = bridgeSigner(observed, observed.issuer.chain?.signer);
  if (by === undefined || by === 'key') return undefined;
  const { policy } = observed;
  return Math.max(policy.renewBefore, timeNeeded(observed, 'restarts') * (1 + CHANCE) + timeToSign(policy));
}

/** Returns the least time that a user has for a signature. */
export function timeToSign({ duration }: Pick<ObservedTrust['policy'], 'duration'>): number {
  return Math.min(7 * DAY, duration / 2);
}

/** Whether the next window may come too late. */
function isShort(observed: ObservedTrust, now: Time): boolean {
  const end = endOfSigning(observed);
  return end !== undefined && now >= end - timeNeededNow(observed);
}
