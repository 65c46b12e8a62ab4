import { type AnchorKey, type CaCertificate, type Time, verifies } from './chain';
import { bundlesIn } from './knowledge';
import type { AnchorMemory, RememberedBundle, Rotation } from './memory';
import type { ObservedAnchor, ObservedIdentity, ObservedTrust } from './observed';
import type { AnchorAction, Milestone } from './plan';
import { CHANCE, endOfRoot, timeNeeded } from './rotation-target';
import { spreadBy } from './times';
import { anchorOf, wayOf } from './way';

/**
 * The fallback if a rotation is late. Proxies identify a trust anchor by its subject and key, regardless of its expiry.
 * Identity reads roots when it starts, and refuses issuers once these roots have expired. So a renewal with the same
 * key, and a restart of identity alone, extend the life of an anchor without touching a pod. Neither step waits for a
 * maintenance window, another cluster or the end of a pause.
 */
export interface Extension {
  readonly actions: readonly AnchorAction[];
  /** Absent if the anchor has its original lifetime. */
  readonly milestone?: Milestone;
  /** The times at which extensions become due. */
  readonly times: readonly Time[];
}

/** Extends the mesh's anchors if their rotation may come too late. */
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
  const actions = ending.flatMap((key) => renewal(anchorOf(observed, key), observed.policy.certifiedBy !== undefined));
  return { actions, milestone: milestoneOf(observed, memory, ending), times: due.map(({ time }) => time) };
}

/** Returns the time from which a rotation may take longer than the anchor is still valid. */
function extensionTime(observed: ObservedTrust, key: AnchorKey): Time | undefined {
  const root = longestRoot(observed, key);
  return root && root.notAfter - lead(observed, root);
}

function longestRoot(observed: ObservedTrust, key: AnchorKey): CaCertificate | undefined {
  const held = anchorOf(observed, key)?.certificate;
  const all = [
    ...(held === undefined ? [] : [held]),
    ...(observed.bundle?.anchors ?? []).filter((it) => it.key === key),
  ];
  return all.toSorted((a, b) => b.notAfter - a.notAfter)[0];
}

/**
 * Returns how long before its expiry an anchor is extended: the time of the worst plan plus that of an extension, but
 * at most half of its lifetime. Otherwise, a short-lived anchor would be extended endlessly.
 */
function lead(observed: ObservedTrust, { key, notBefore, notAfter }: CaCertificate): number {
  const { patience, restartTime } = observed.policy;
  const extension = 2 * patience + spreadBy(0, observed.policy) + restartTime;
  const needed = timeNeeded(observed, wayOf(observed, key)) + extension;
  return Math.min(needed * (1 + CHANCE), (notAfter - notBefore) / 2);
}

/** A Certificate whose renewal would change the key is first changed to keep it. */
function renewal(anchor: ObservedAnchor | undefined, isCertified: boolean): readonly AnchorAction[] {
  if (anchor === undefined || anchor.onlySecret || anchor.state !== 'issued') return [];
  const { generation, changesKey, bundled } = anchor;
  // A certificate by another cluster ends with that cluster's anchor: the anchor signs itself, and asks again later.
  if (isCertified && anchor.askedSigner === 'request') {
    return [{ do: 'apply-anchor', generation, signer: 'self', bundled }];
  }
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
    return anchor === undefined || anchor.onlySecret
      ? open('KeyElsewhere', 'the anchor is about to expire, and the key that could extend it is not in the cluster')
      : open(
          'Renewing',
          `cert-manager renews generation ${anchor.generation} with the same key, because it is about to expire`,
        );
  }
  const end = current === undefined ? undefined : endOfRoot(observed, current.key);
  if (end === undefined || current?.end === undefined || end <= current.end) return undefined;
  const message = 'the anchor was renewed with the same key, because no rotation had replaced it in time: rotate it';
  return { type: 'Extended', status: true, reason: 'SameKey', message };
}

function open(reason: string, message: string): Milestone {
  return { type: 'Extended', status: false, reason, message };
}

/**
 * Returns the replicas of identity that must reread the bundle, because the roots from their start are about to expire.
 */
export function outlivedReplicas(
  observed: ObservedTrust,
  { bundles }: AnchorMemory,
  now: Time,
): readonly ObservedIdentity[] {
  const { policy, identity } = observed;
  const present = bundles.at(-1);
  const [root] = leadingRoots(observed, now);
  // A replica that restarts before the present bundle has spread may get the earlier one.
  if (present === undefined || root === undefined || now < spreadBy(present.since, policy)) return [];
  const soon = now + lead(observed, root);
  if (root.notAfter <= soon) return [];
  // A replica that started before all known roots uses others than the present ones.
  return identity.filter((replica) => (rootsEnd(replica, observed, bundles, now) ?? now) <= soon);
}

/** Returns the roots in the bundle to which the current signer chains, the one that expires last first. */
function leadingRoots({ bundle, issuer: { chain } }: ObservedTrust, now: Time): readonly CaCertificate[] {
  if (chain === undefined) return [];
  return (bundle?.anchors ?? [])
    .filter(({ key }) => verifies(chain, new Set([key]), now))
    .toSorted((a, b) => b.notAfter - a.notAfter);
}

/**
 * Returns the time from which on a replica refuses the current signer, by the roots that it may have started with;
 * undefined if these are unknown.
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
  // It started before any recorded bundle: with roots that existed by then, or with the first ones.
  const there = leadingRoots(observed, now).find(({ notBefore }) => notBefore <= since + skew);
  const [first, ...later] = bundles;
  return there?.notAfter ?? (first === undefined || later.length === 0 ? undefined : endIn(first, observed, now));
}

/**
 * Returns the time until which the current signer chains to a root of a bundle. If it chains to none, the bundle's
 * expiry does not matter.
 */
function endIn({ keys, ends = {} }: RememberedBundle, { issuer: { chain } }: ObservedTrust, now: Time): Time {
  const leading = keys.filter((key) => chain !== undefined && verifies(chain, new Set([key]), now));
  return leading.length === 0
    ? Number.POSITIVE_INFINITY
    : Math.max(...leading.map((key) => ends[key] ?? Number.POSITIVE_INFINITY));
}
