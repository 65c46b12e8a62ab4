import type { AnchorKey, Time } from './chain';
import { endOf } from './knowledge';
import { type AnchorMemory, MOST_BUNDLES, type RememberedBundle, type RememberedIssuer } from './memory';
import type { AnchorPolicy, ObservedBundle, ObservedIdentity, ObservedIssuer, ObservedTrust } from './observed';
import { settledBy } from './times';

/** Adds to the memory what there is now of bundle, issuer and identity. */
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

/** Returns what is remembered of a bundle. */
export function rememberedBundle({ hash, anchors }: ObservedBundle, since: Time): RememberedBundle {
  const ends: Record<AnchorKey, Time> = {};
  for (const { key, notAfter } of anchors) ends[key] = Math.max(ends[key] ?? notAfter, notAfter);
  return { hash, keys: Object.keys(ends), since, ends };
}

function withBundle(bundles: readonly RememberedBundle[], seen: RememberedBundle): readonly RememberedBundle[] {
  if (bundles.at(-1)?.hash === seen.hash) return bundles;
  return [...bundles, seen];
}

/**
 * As many as are kept, the newest ones; and of those before them, what pods carry, whatever their number, and what the
 * control plane's own may have started with.
 */
function kept(bundles: readonly RememberedBundle[], { pods, policy }: ObservedTrust): readonly RememberedBundle[] {
  if (bundles.length <= MOST_BUNDLES) return bundles;
  const carried = new Set(pods.map(({ hash }) => hash));
  const starts = pods.filter(({ hash }) => hash === undefined).map(({ since }) => since);
  const isKept = bundles.map((bundle, index) => {
    const until = endOf(bundles, index);
    const isRead = starts.some(
      (start) => bundle.since <= start + policy.skew && until > start - policy.lag - policy.skew,
    );
    return index >= bundles.length - MOST_BUNDLES || carried.has(bundle.hash) || isRead;
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
  // Until then somebody may have started with the one before it, whom nobody has seen yet.
  const isSettled = now >= settledBy(issuer.seen, observed.policy);
  if (takenUp === undefined ? isProven(observed, issuer, now) : isStillProven(observed, issuer, isSettled)) {
    const since = steady ?? (isSettled ? now : undefined);
    return { ...rest, takenUp: takenUp ?? now, ...(since !== undefined && { steady: since }) };
  }
  // Whoever works with the one before it works with one of the same signer, if it has been steady since then.
  const isSteady = steady !== undefined && steady < issuer.seen;
  return isSteady ? { ...rest, steady } : rest;
}

/** Nobody who issues is no proof before it can be known that there is nobody. */
function isProven(observed: ObservedTrust, issuer: RememberedIssuer, now: Time): boolean {
  if (observed.identity.length === 0 && now < issuer.seen + observed.policy.lag) return false;
  return unproven(observed, issuer).length === 0;
}

/**
 * Events are forgotten after an hour: what was proven stays so, unless something speaks against it, or somebody has
 * started since then of whom it was not proven.
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
 * The replicas of identity of which nothing proves that they work with the present issuer: not their metric, not an
 * Event for each, and not that they started when it had long been there.
 */
export function unproven(
  { identity, issuerUpdates, policy }: Pick<ObservedTrust, 'identity' | 'issuerUpdates' | 'policy'>,
  issuer: RememberedIssuer,
): readonly ObservedIdentity[] {
  const open = identity.filter((replica) => !isProof(replica, issuer, policy));
  // An Event does not say whose it is, so that it counts only where there is one for each that has no metric, and later
  // than all of them started.
  const silent = open.filter(({ issuerEnd }) => issuerEnd === undefined);
  const from = Math.max(issuer.since, ...silent.map(({ since }) => since + policy.skew));
  const told = issuer.hasty || issuer.missed ? 0 : issuerUpdates.filter((time) => time >= from).length;
  return silent.length > told ? open : open.filter(({ issuerEnd }) => issuerEnd !== undefined);
}

/** The replicas whose metric tells of another issuer than that in the Secret. */
export function mistaken(
  { identity, policy }: Pick<ObservedTrust, 'identity' | 'policy'>,
  issuer: RememberedIssuer,
): readonly ObservedIdentity[] {
  return identity.filter((replica) => isMistaken(replica, issuer, policy));
}

/** The clock skew that is doubtful, as so many times that which is allowed: an earlier issuer ends hours earlier. */
const DOUBTFUL = 15;

/**
 * Tells whether a replica's metric is of an earlier issuer. The end by the metric counts from the replica's clock, which
 * may be wrong by more than certificates allow for: that alone is no reason to restart it with each issuer.
 */
function isMistaken({ issuerEnd }: ObservedIdentity, issuer: RememberedIssuer, { skew }: AnchorPolicy): boolean {
  const { notAfter, before } = issuer;
  if (issuerEnd === undefined) return false;
  const isKnown = before !== undefined && before < notAfter && !issuer.missed;
  return isKnown ? notAfter - issuerEnd > issuerEnd - before : notAfter - issuerEnd > DOUBTFUL * skew;
}

/** Tells whether a replica by itself proves that it works with the issuer: it can be no earlier one, by its end or start. */
function isProof(replica: ObservedIdentity, issuer: RememberedIssuer, policy: AnchorPolicy): boolean {
  if (isMistaken(replica, issuer, policy)) return false;
  const { issuerEnd, since } = replica;
  if (since >= issuer.seen + policy.lag + policy.skew) return true;
  if (issuerEnd === undefined || issuer.missed || Math.abs(issuerEnd - issuer.notAfter) > policy.skew) return false;
  return issuer.before === undefined || issuerEnd > issuer.before + policy.skew;
}

/** The keys that the mesh's bundle holds. */
export function bundledKeys({ bundle }: Pick<ObservedTrust, 'bundle'>): ReadonlySet<AnchorKey> {
  return new Set(bundle?.anchors.map(({ key }) => key));
}
