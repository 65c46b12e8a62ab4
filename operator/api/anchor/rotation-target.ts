import type { AnchorKey, Time } from './chain';
import type { AnchorMemory, Rotation } from './memory';
import type { ObservedAnchor, ObservedTrust } from './observed';
import { earliest } from './times';
import { foreignAnchor, foreignAnchors } from './unseen-issuer';
import { neededTime, worstPlan } from './worst-plan';

/** No rotation goes on. */
export interface Rest {
  readonly kind: 'rest';
  /** The time when the next one begins by itself. */
  readonly due?: Time;
}

/** The present lot of the anchor: a rotation that goes on or begins, or none. */
export type Target = { readonly kind: 'rotate'; readonly rotation: Rotation } | Rest;

/** Decides whether a rotation goes on, begins, or is found half done. */
export function rotationTarget(observed: ObservedTrust, memory: AnchorMemory, now: Time): Target {
  const { policy } = observed;
  if (memory.rotation !== undefined) return { kind: 'rotate', rotation: memory.rotation };
  const found = halfDone(observed, memory, now);
  if (found !== undefined) return { kind: 'rotate', rotation: found };
  const due = dueTime(observed, memory);
  const asked = policy.rotateNow !== undefined && policy.rotateNow !== memory.rotated;
  const isDue = due !== undefined && now >= due && (observed.inWindow || isShort(observed, now));
  if (policy.paused || policy.abort || (!asked && !isDue)) return { kind: 'rest', due };
  const from = livingAnchor(observed, memory);
  const to = nextGeneration(observed, memory);
  const why = asked ? `rotateNow is "${policy.rotateNow}"` : 'the anchor ends within renewBefore';
  return { kind: 'rotate', rotation: { from, to, began: now, why } };
}

/** The anchor that the mesh lives by, as far as that can be told. */
function livingAnchor(observed: ObservedTrust, { current }: AnchorMemory): AnchorKey | undefined {
  return observed.issuer.chain?.signer ?? current?.key ?? foreignAnchor(observed);
}

/** A rotation that somebody else began, or that nobody remembers. */
function halfDone(observed: ObservedTrust, memory: AnchorMemory, now: Time): Rotation | undefined {
  const { anchors, signer, issuer } = observed;
  const own = anchors.toSorted((a, b) => b.generation - a.generation);
  const [highest, ...older] = own;
  const pointed = own.find(({ generation }) => generation === signer);
  const living = livingAnchor(observed, memory) ?? pointed?.certificate?.key;
  const begin = (to: number, why: string, from: AnchorKey | undefined): Rotation => ({ from, to, began: now, why });
  if (living === undefined) {
    // Its Secret holds something of which nobody knows what: that is found out first. What lives by others can wait.
    if (issuer.state === 'issued' || foreignAnchors(observed).length > 0) return undefined;
    if (highest === undefined && observed.policy.abort) return undefined;
    const to = highest?.generation ?? nextGeneration(observed, memory);
    return begin(to, 'there is no anchor yet', older.find(({ certificate }) => certificate)?.certificate?.key);
  }
  // An anchor that exists elsewhere is nobody's mistake: its rotation begins when it is due.
  if (highest?.certificate === undefined) return undefined;
  const holder = own.find(({ certificate }) => certificate?.key === living);
  if (holder === undefined) return begin(highest.generation, 'the key of what signs is not here', living);
  if (highest !== holder) return begin(highest.generation, 'it was found begun', living);
  const left = older.find(({ certificate }) => certificate !== undefined)?.certificate?.key;
  const before = left ?? forgottenAnchor(observed, memory, living);
  return before === undefined ? undefined : begin(highest.generation, 'the anchor before it was found', before);
}

/**
 * An anchor that is kept in the bundle, and of which nothing else is left, not even a memory: nobody knows what of it lives.
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

/** The generation after all that are, or were in charge; the last one, if somebody had it made and has forgotten it. */
function nextGeneration({ anchors }: ObservedTrust, { current }: AnchorMemory): number {
  const last = current?.generation ?? 0;
  const begun = anchors.find(
    ({ certificate, state, generation }) => certificate === undefined && state === 'issuing' && generation > last,
  );
  return begun?.generation ?? Math.max(last, ...anchors.map(({ generation }) => generation)) + 1;
}

/** The anchor with a key, where it is in the cluster. */
export function anchorOf(
  { anchors }: Pick<ObservedTrust, 'anchors'>,
  key: AnchorKey | undefined,
): ObservedAnchor | undefined {
  return anchors.find(({ certificate }) => certificate !== undefined && certificate.key === key);
}

/** The anchor that signs, where its key is in the cluster. */
export function signingAnchor(observed: ObservedTrust): ObservedAnchor | undefined {
  return anchorOf(observed, observed.issuer.chain?.signer);
}

/** The end of what signs: of the anchor, and of an issuer that nobody can renew. */
export function endOfSigning(observed: ObservedTrust): Time | undefined {
  const { issuer, signer } = observed;
  const isHeld = signingAnchor(observed) === undefined && signer !== 'other';
  return earliest(endOfRoot(observed, issuer.chain?.signer), isHeld ? issuer.chain?.notAfter : undefined);
}

/**
 * The end of an anchor: of its certificates in the bundle, the latest one, as the same key renewed is the same anchor;
 * of one that is not there, of the certificate in its Secret.
 */
export function endOfRoot({ bundle, anchors }: ObservedTrust, key: AnchorKey | undefined): Time | undefined {
  const given = (bundle?.anchors ?? []).filter((it) => it.key === key);
  const held = anchorOf({ anchors }, key)?.certificate;
  const ends = (given.length > 0 || held === undefined ? given : [held]).map(({ notAfter }) => notAfter);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/**
 * The way that a rotation of the present anchor goes: over a bridge, where its key can make one. What limits its names
 * limits those below a bridge, too, and proxies take that over from the root that they were given.
 */
export function wayOf(observed: ObservedTrust, from: AnchorKey | undefined): 'bridge' | 'restarts' {
  const anchor = anchorOf(observed, from);
  if (anchor === undefined || anchor.certificate?.pathLength === 0) return 'restarts';
  const given = (observed.bundle?.anchors ?? []).filter(({ key }) => key === from);
  return [anchor.certificate, ...given].some((certificate) => certificate?.constrained) ? 'restarts' : 'bridge';
}

/** The time that the worst plan takes until the old anchor may end, for all workloads or for some. */
export function timeNeeded(observed: ObservedTrust, way: 'bridge' | 'restarts', workloads?: number): number {
  const all = workloads ?? new Set(observed.pods.map(({ workload }) => workload)).size;
  return neededTime(worstPlan(observed.policy, all, way));
}

/** The share of the worst plan's time that is left to chance, besides that time itself. */
export const CHANCE = 0.5;

/** Reports whether what ends first is an issuer that nobody can renew: once it has, the mesh has stopped. */
function isIssuersEnd(observed: ObservedTrust, end: Time): boolean {
  return (
    signingAnchor(observed) === undefined && observed.signer !== 'other' && end === observed.issuer.chain?.notAfter
  );
}

/** The time that a rotation of what signs now takes at most, and what is left to chance. */
function timeNeededNow(observed: ObservedTrust): number {
  return timeNeeded(observed, wayOf(observed, observed.issuer.chain?.signer)) * (1 + CHANCE);
}

/** The time when the rotation begins by itself: so long before the end as is asked for, or as it takes, if that is more. */
function dueTime(observed: ObservedTrust, { current }: AnchorMemory): Time | undefined {
  const present = endOfSigning(observed);
  if (present === undefined) return undefined;
  // An extension is no rotation.
  const isSame = current?.key === observed.issuer.chain?.signer;
  const end = earliest(present, isSame ? current?.end : undefined) ?? present;
  return end - (isIssuersEnd(observed, present) ? timeNeededNow(observed) : observed.policy.renewBefore);
}

/** Reports whether the next window may come too late. */
function isShort(observed: ObservedTrust, now: Time): boolean {
  const end = endOfSigning(observed);
  return end !== undefined && now >= end - timeNeededNow(observed);
}
