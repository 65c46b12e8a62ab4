import type { AnchorKey, Time } from './chain';
import { endOf } from './knowledge';
import { type AnchorMemory, MAX_BUNDLES, type RememberedBundle, type RememberedIssuer } from './memory';
import type { AnchorPolicy, ObservedBundle, ObservedIdentity, ObservedIssuer, ObservedTrust } from './observed';
import { settledBy } from './times';

/** Adds the current bundle, issuer and identity to the memory. */
export function remember(observed: ObservedTrust, now: Time): AnchorMemory {
  const { memory, bundle, issuer, policy } = observed;
  const seen = rememberedBundle(bundle ?? { hash: '', anchors: [] }, now);
  const present = withIssuer(memory.issuer, issuer, policy, now);
  return {
    ...memory,
    bundles: kept(withBundle(memory.bundles, seen), observed),
    ...(present !== undefined && { issuer: withIdentity(present, observed, now) }),
  };
}

/** Returns the record of a bundle. */
export function rememberedBundle({ hash, anchors }: ObservedBundle, since: Time): RememberedBundle {
  const ends: Record<AnchorKey, Time> = {};
  for (const { key, notAfter } of anchors) ends[key] = Math.max(ends[key] ?? notAfter, notAfter);
  return { hash, keys: Object.keys(ends), since, ends };
}

/** Adds bundles that a watch reported between two observations: pods were injected with them. */
export function withMissed(memory: AnchorMemory, seen: readonly RememberedBundle[]): AnchorMemory {
  const last = memory.bundles.at(-1);
  // A new memory starts with the current bundle: earlier ones are unknown.
  if (last === undefined) return memory;
  const known = new Set(memory.bundles.map(({ hash }) => hash));
  const missed = seen.filter(({ hash, since }) => since > last.since && !known.has(hash));
  return missed.length === 0 ? memory : { ...memory, bundles: [...memory.bundles, ...missed] };
}

function withBundle(bundles: readonly RememberedBundle[], seen: RememberedBundle): readonly RememberedBundle[] {
  if (bundles.at(-1)?.hash === seen.hash) return bundles;
  return [...bundles, seen];
}

/**
 * Returns the newest bundles up to the limit, and all earlier bundles that pods carry, or that pods of the control
 * plane may have started with.
 */
function kept(
  bundles: readonly RememberedBundle[],
  { pods, ignoredPods = [], policy }: ObservedTrust,
): readonly RememberedBundle[] {
  if (bundles.length <= MAX_BUNDLES) return bundles;
  const carried = new Set([...pods, ...ignoredPods].map(({ hash }) => hash));
  const starts = pods.filter(({ hash }) => hash === undefined).map(({ since }) => since);
  const isKept = bundles.map((bundle, index) => {
    const until = endOf(bundles, index);
    const isRead = starts.some(
      (start) => bundle.since <= start + policy.skew && until > start - policy.lag - policy.skew,
    );
    return index >= bundles.length - MAX_BUNDLES || carried.has(bundle.hash) || isRead;
  });
  return bundles.flatMap((bundle, index) => {
    if (!isKept[index]) return [];
    return [isKept[index + 1] === false ? { ...bundle, until: endOf(bundles, index) } : bundle];
  });
}

function withIssuer(
  before: RememberedIssuer | undefined,
  { chain, revision = 0 }: ObservedIssuer,
  { lag, skew }: AnchorPolicy,
  now: Time,
): RememberedIssuer | undefined {
  if (chain === undefined || (before?.revision === revision && before.signer === chain.signer)) return before;
  const { signer, notAfter, notBefore } = chain;
  const since = Math.min(now, Math.max(notBefore, before?.since ?? notBefore));
  const issuer = { revision, signer, notAfter, since, seen: now };
  if (before === undefined) return revision > 1 ? { ...issuer, missed: true } : issuer;
  const isNext = revision === before.revision + 1;
  return {
    ...issuer,
    before: before.notAfter,
    hasty: since - before.since <= lag + skew,
    ...(!isNext && { missed: true }),
    ...(isNext && signer === before.signer && { steady: before.steady }),
  };
}

function withIdentity(issuer: RememberedIssuer, observed: ObservedTrust, now: Time): RememberedIssuer {
  const { takenUp, steady, ...rest } = issuer;
  // Until then, an unobserved replica may have started with the previous issuer.
  const isSettled = now >= settledBy(issuer.seen, observed.policy);
  if (takenUp === undefined ? isProven(observed, issuer, now) : isStillProven(observed, issuer, isSettled)) {
    const since = steady ?? (isSettled ? now : undefined);
    return { ...rest, takenUp: takenUp ?? now, ...(since !== undefined && { steady: since }) };
  }
  // A replica with the previous issuer uses the same signer if identity was steady before this issuer came.
  const isSteady = steady !== undefined && steady < issuer.seen;
  return isSteady ? { ...rest, steady } : rest;
}

/** An absence of replicas proves nothing until a new replica would have been observed. */
function isProven(observed: ObservedTrust, issuer: RememberedIssuer, now: Time): boolean {
  if (observed.identity.length === 0 && now < issuer.seen + observed.policy.lag) return false;
  return unproven(observed, issuer).length === 0;
}

/**
 * Events expire after an hour: a proof stays valid, unless something contradicts it, or a replica without a proof has
 * started since.
 */
function isStillProven(observed: ObservedTrust, issuer: RememberedIssuer, isSettled: boolean): boolean {
  const { policy } = observed;
  const { takenUp, steady } = issuer;
  if (mistaken(observed, issuer).length > 0) return false;
  if (takenUp === undefined || steady !== undefined || !isSettled) return true;
  const since = takenUp - policy.lag - policy.skew;
  return observed.identity.every((replica) => replica.since < since || isProof(replica, issuer, policy));
}

/**
 * Returns the replicas of identity without a proof that they use the current issuer: by their metric, by an Event for
 * each, or by starting long after it existed.
 */
export function unproven(
  { identity, issuerUpdates, policy }: Pick<ObservedTrust, 'identity' | 'issuerUpdates' | 'policy'>,
  issuer: RememberedIssuer,
): readonly ObservedIdentity[] {
  const open = identity.filter((replica) => !isProof(replica, issuer, policy));
  // An Event does not name its replica, so Events count only if there is one for each replica without a metric, later
  // than the start of all of them.
  const silent = open.filter(({ issuerEnd }) => issuerEnd === undefined);
  const from = Math.max(issuer.since, ...silent.map(({ since }) => since + policy.skew));
  const reported = issuer.hasty || issuer.missed ? 0 : issuerUpdates.filter((time) => time >= from).length;
  return silent.length > reported ? open : open.filter(({ issuerEnd }) => issuerEnd !== undefined);
}

/** Returns the replicas whose metric shows another issuer than that in the Secret. */
export function mistaken(
  { identity, policy }: Pick<ObservedTrust, 'identity' | 'policy'>,
  issuer: RememberedIssuer,
): readonly ObservedIdentity[] {
  return identity.filter((replica) => isMistaken(replica, issuer, policy));
}

/** A larger difference, in multiples of the allowed clock skew, shows an earlier issuer: it expires hours earlier. */
const DOUBTFUL = 15;

/**
 * Whether a replica's metric shows an earlier issuer: the expiry is nearer to that issuer's, which may be later (after
 * `linkerd install`). The metric depends on the replica's clock. A clock that is wrong by more than the allowed skew is
 * no reason to restart the replica with each issuer.
 */
function isMistaken({ issuerEnd }: ObservedIdentity, issuer: RememberedIssuer, { skew }: AnchorPolicy): boolean {
  const { notAfter, before } = issuer;
  if (issuerEnd === undefined) return false;
  const isKnown = before !== undefined && before !== notAfter && !issuer.missed;
  if (isKnown && Math.abs(notAfter - issuerEnd) > Math.abs(issuerEnd - before)) return true;
  const isFirst = isKnown && before < notAfter;
  return !isFirst && notAfter - issuerEnd > DOUBTFUL * skew;
}

/** Whether a replica's metric or start proves that it uses this issuer, and no earlier one. */
function isProof(replica: ObservedIdentity, issuer: RememberedIssuer, policy: AnchorPolicy): boolean {
  if (isMistaken(replica, issuer, policy)) return false;
  const { issuerEnd, since } = replica;
  if (since >= issuer.seen + policy.lag + policy.skew) return true;
  if (issuerEnd === undefined || issuer.missed || Math.abs(issuerEnd - issuer.notAfter) > policy.skew) return false;
  return issuer.before === undefined || Math.abs(issuerEnd - issuer.before) > policy.skew;
}

/** Returns the keys in the mesh's bundle. */
export function bundledKeys({ bundle }: Pick<ObservedTrust, 'bundle'>): ReadonlySet<AnchorKey> {
  return new Set(bundle?.anchors.map(({ key }) => key));
}
