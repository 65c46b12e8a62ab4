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
  /** The time at which the next rotation starts without a request. */
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
    ? 'the identity issuer expires, and nothing can renew it'
    : 'the anchor expires within renewBefore, or within the time for a signature outside the cluster';
  const reason = asked ? `rotateNow is "${policy.rotateNow}"` : ending;
  const why = isEmergency ? 'the key of the anchor leaked, or the anchor certified a leaked key' : reason;
  return { kind: 'rotate', rotation: { from, to, began: now, why, ...lostKey(observed, memory, from) } };
}

function lostKey(
  observed: ObservedTrust,
  memory: AnchorMemory,
  from: AnchorKey | undefined,
): Pick<Rotation, 'unbridged'> {
  return isKeyLost(observed, memory, { from }) ? { unbridged: true } : {};
}

/** A key that was created in this cluster and is lost exists nowhere else: no user can sign a bridge with it. */
export function isKeyLost(
  observed: ObservedTrust,
  { current }: AnchorMemory,
  { from, committed, retiring }: Pick<Rotation, 'from' | 'committed' | 'retiring'>,
): boolean {
  const isOwn = current?.key === from && (current?.lost === true || current?.generation !== undefined);
  // At the end of a rotation, the operator itself removes the key.
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
    // The content of the issuer's Secret is unknown, and is read first. A mesh that uses an unknown anchor can wait.
    if (issuer.state === 'issued' || foreignAnchors(observed).length > 0) return undefined;
    if (highest === undefined && observed.policy.abort) return undefined;
    const to = highest?.generation ?? nextGeneration(observed, memory);
    return begin(to, 'there is no anchor yet', older.find(({ certificate }) => certificate)?.certificate?.key);
  }
  const lost = lostGeneration(highest, living);
  if (lost !== undefined) return begin(lost, 'the key of the anchor that signs is not in the cluster', living);
  // An external anchor is not an error: its rotation starts when it is due.
  if (highest?.certificate === undefined) return undefined;
  const holder = own.find(({ certificate }) => certificate?.key === living);
  if (holder === undefined)
    return begin(highest.generation, 'the key of the anchor that signs is not in the cluster', living);
  if (highest !== holder) return begin(highest.generation, 'it was found half done', living);
  const left = older.find(({ certificate }) => certificate !== undefined)?.certificate?.key;
  const before = left ?? forgottenAnchor(observed, memory, living);
  return before === undefined ? undefined : begin(highest.generation, 'an earlier anchor was found', before);
}

/** Returns the generation whose key was lost, if its new key has a request for a signer outside the cluster. */
function lostGeneration(anchor: ObservedAnchor | undefined, living: AnchorKey): number | undefined {
  return anchor?.request === undefined || anchor.request.key === living ? undefined : anchor.generation;
}

/**
 * Returns an anchor of which only the root that the operator keeps in the bundle is left: it is unknown what the anchor
 * signed.
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
 * Returns the expiry of an issuer that nothing can renew: the key of its signer is not in the cluster, and no external
 * issuer signs. Undefined if it can be renewed. Another anchor has to sign before this time.
 */
export function unrenewedUntil(observed: Pick<ObservedTrust, 'anchors' | 'issuer' | 'signer'>): Time | undefined {
  const { issuer, signer } = observed;
  const isRenewed = signer === 'other' || anchorOf(observed, issuer.chain?.signer) !== undefined;
  return isRenewed ? undefined : issuer.chain?.notAfter;
}

/** Whether an issuer that cannot be renewed expires before its anchor: the mesh stops then. */
function isIssuersEnd(observed: ObservedTrust): boolean {
  const end = unrenewedUntil(observed);
  return end !== undefined && end === endOfSigning(observed);
}

/** Returns the expiry of the anchor that signs, or that of an issuer that cannot be renewed, if earlier. */
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
 * Returns the expiry of the old anchor, or that of an issuer that cannot be renewed, if earlier. With `current`, the
 * expiry of the anchor before an extension counts.
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
 * Returns the time that the worst plan takes until the old anchor may expire, for a number of workloads; by default,
 * for all that can be restarted.
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
 * Returns the time at which the rotation starts without a request: `renewBefore` before the expiry, or earlier if a
 * user has to sign. For an issuer that nothing can renew: the time that a rotation needs before its expiry.
 */
function dueTime(observed: ObservedTrust, { current }: AnchorMemory): Time | undefined {
  const present = endOfSigning(observed);
  if (present === undefined) return undefined;
  // An extension does not delay the rotation.
  const isSame = current?.key === observed.issuer.chain?.signer;
  const end = earliest(present, isSame ? current?.end : undefined) ?? present;
  const { renewBefore } = observed.policy;
  const lead = awaitedLead(observed);
  if (!isIssuersEnd(observed)) return end - (lead ?? renewBefore);
  return end - Math.max(timeNeededNow(observed), lead ?? 0);
}

/**
 * Returns how long before the expiry a rotation starts if its bridge is signed outside the cluster; undefined for any
 * other rotation. A user has a week to sign (at most half of the anchor's lifetime), and restarts must be in time after
 * that.
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

/** Whether the next maintenance window may come too late. */
function isShort(observed: ObservedTrust, now: Time): boolean {
  const end = endOfSigning(observed);
  return end !== undefined && now >= end - timeNeededNow(observed);
}
