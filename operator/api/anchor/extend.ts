import { type AnchorKey, type CaCertificate, type Time, verifies } from './chain';
import { bundlesIn } from './knowledge';
import type { AnchorMemory, RememberedBundle, Rotation } from './memory';
import type { ObservedAnchor, ObservedIdentity, ObservedTrust } from './observed';
import type { AnchorAction, Milestone } from './plan';
import { anchorOf, CHANCE, endOfRoot, timeNeeded, wayOf } from './rotation-target';
import { spreadBy } from './times';

/**
 * The net under every rotation. Proxies know an anchor by its subject and its key, whatever its end, while identity
 * reads roots when it starts, and refuses issuers once these have ended. So the same key, renewed in good time, and a
 * restart of identity alone extend the life of an anchor without touching a pod. Neither waits for a window, a member or
 * the end of a pause.
 */
export interface Extension {
  readonly actions: readonly AnchorAction[];
  /** Absent where the anchor lives as long as it was made for. */
  readonly milestone?: Milestone;
  /** The times when time alone makes it due. */
  readonly times: readonly Time[];
}

/** Extends the anchors that the mesh lives by where their rotation may come too late. */
export function extendAnchors(
  observed: ObservedTrust,
  memory: AnchorMemory,
  rotation: Rotation | undefined,
  now: Time,
): Extension {
  const signing = observed.issuer.chain?.signer;
  const living = [...new Set([signing, rotation?.retiring ? undefined : rotation?.from])].flatMap((key) => key ?? []);
  const due = living.flatMap((key) => {
    const time = extensionTime(observed, key);
    return time === undefined ? [] : [{ key, time }];
  });
  const ending = due.flatMap(({ key, time }) => (time <= now ? [key] : []));
  const actions = ending.flatMap((key) => renewal(anchorOf(observed, key)));
  return { actions, milestone: milestoneOf(observed, memory, ending), times: due.map(({ time }) => time) };
}

/** The time from which on what is left of an anchor's life is no more than a rotation may still take. */
function extensionTime(observed: ObservedTrust, key: AnchorKey): Time | undefined {
  const root = longestRoot(observed, key);
  return root && root.notAfter - lead(observed, root);
}

/** The certificate of an anchor that lives longest, among those that are, or come, into the bundle. */
function longestRoot(observed: ObservedTrust, key: AnchorKey): CaCertificate | undefined {
  const held = anchorOf(observed, key)?.certificate;
  const all = [
    ...(held === undefined ? [] : [held]),
    ...(observed.bundle?.anchors ?? []).filter((it) => it.key === key),
  ];
  return all.toSorted((a, b) => b.notAfter - a.notAfter)[0];
}

/**
 * The time before an anchor's end at which it is extended: what the worst plan takes, and what the extension does. Of a
 * short life no more than half: it would be extended without end.
 */
function lead(observed: ObservedTrust, { key, notBefore, notAfter }: CaCertificate): number {
  const { patience, restartTime } = observed.policy;
  const extension = 2 * patience + spreadBy(0, observed.policy) + restartTime;
  const needed = timeNeeded(observed, wayOf(observed, key)) + extension;
  return Math.min(needed * (1 + CHANCE), (notAfter - notBefore) / 2);
}

/** Has the same key certified anew. Somebody else's Certificate is to keep its key first. */
function renewal(anchor: ObservedAnchor | undefined): readonly AnchorAction[] {
  if (anchor === undefined || anchor.foreign || anchor.state !== 'issued') return [];
  const { generation, changesKey } = anchor;
  return [changesKey ? { do: 'keep-key', generation } : { do: 'renew-anchor', generation }];
}

function milestoneOf(
  observed: ObservedTrust,
  { current }: AnchorMemory,
  ending: readonly AnchorKey[],
): Milestone | undefined {
  const [key] = ending;
  if (key !== undefined) {
    const anchor = anchorOf(observed, key);
    return anchor === undefined || anchor.foreign
      ? open('KeyElsewhere', 'the anchor is about to end, and the key that could extend it is not in the cluster')
      : open('Renewing', `cert-manager renews generation ${anchor.generation} with its key, as it is about to end`);
  }
  const end = current === undefined ? undefined : endOfRoot(observed, current.key);
  if (end === undefined || current?.end === undefined || end <= current.end) return undefined;
  const message =
    'the anchor was renewed with its own key, as no rotation had replaced it in time: it is still to be rotated';
  return { type: 'Extended', status: true, reason: 'SameKey', message };
}

function open(reason: string, message: string): Milestone {
  return { type: 'Extended', status: false, reason, message };
}

/** The replicas of identity that have to read the bundle anew, since the roots that they started with are about to end. */
export function outlivedReplicas(
  observed: ObservedTrust,
  { bundles }: AnchorMemory,
  now: Time,
): readonly ObservedIdentity[] {
  const { policy, identity } = observed;
  const present = bundles.at(-1);
  const [root] = leadingRoots(observed, now);
  // Who restarts before it has spread may be given the bundle before it.
  if (present === undefined || root === undefined || now < spreadBy(present.since, policy)) return [];
  const soon = now + lead(observed, root);
  if (root.notAfter <= soon) return [];
  // One that started before all roots that are known reads others than those that are there.
  return identity.filter((replica) => (rootsEnd(replica, observed, bundles, now) ?? now) <= soon);
}

/** The roots in the bundle that lead to what identity issues, the longest-lived one first. */
function leadingRoots({ bundle, issuer: { chain } }: ObservedTrust, now: Time): readonly CaCertificate[] {
  if (chain === undefined) return [];
  return (bundle?.anchors ?? [])
    .filter(({ key }) => verifies(chain, new Set([key]), now))
    .toSorted((a, b) => b.notAfter - a.notAfter);
}

/**
 * The time from which on a replica refuses what signs now, by the roots that it may have started with; undefined where
 * nothing is known of these.
 */
export function rootsEnd(
  { since }: ObservedIdentity,
  observed: ObservedTrust,
  bundles: readonly RememberedBundle[],
  now: Time,
): Time | undefined {
  const { lag, skew } = observed.policy;
  const read = bundlesIn(bundles, since - lag - skew, since + skew);
  if (read.length > 0) return Math.min(...read.map((bundle) => endIn(bundle, observed, now)));
  // It started before anything that is remembered: with roots that were there by then, or with the first ones.
  const there = leadingRoots(observed, now).find(({ notBefore }) => notBefore <= since + skew);
  const [first, ...later] = bundles;
  return there?.notAfter ?? (first === undefined || later.length === 0 ? undefined : endIn(first, observed, now));
}

/** The time until which a bundle's roots lead to what signs now. Of one that does not, it is not the end that matters. */
function endIn({ keys, ends = {} }: RememberedBundle, { issuer: { chain } }: ObservedTrust, now: Time): Time {
  const leading = keys.filter((key) => chain !== undefined && verifies(chain, new Set([key]), now));
  return leading.length === 0
    ? Number.POSITIVE_INFINITY
    : Math.max(...leading.map((key) => ends[key] ?? Number.POSITIVE_INFINITY));
}
