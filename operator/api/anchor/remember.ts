import type { AnchorKey, Time } from './chain';
import { type AnchorMemory, MOST_BUNDLES, type RememberedBundle, type RememberedIssuer } from './memory';
import type { ObservedIdentity, ObservedIssuer, ObservedTrust } from './observed';

/** Adds to the memory what there is now of bundle, issuer and identity. */
export function remember(observed: ObservedTrust, now: Time): AnchorMemory {
  const { memory, bundle, issuer, policy } = observed;
  const seen = { hash: bundle?.hash ?? '', keys: [...bundledKeys(observed)], since: now };
  const present = withIssuer(memory.issuer, issuer, policy.lag + policy.skew, now);
  return {
    ...memory,
    bundles: withBundle(memory.bundles, seen),
    ...(present !== undefined && { issuer: withIdentity(present, observed, now) }),
  };
}

function withBundle(bundles: readonly RememberedBundle[], seen: RememberedBundle): readonly RememberedBundle[] {
  if (bundles.at(-1)?.hash === seen.hash) return bundles;
  return [...bundles, seen].slice(-MOST_BUNDLES);
}

function withIssuer(
  before: RememberedIssuer | undefined,
  { chain, revision = 0 }: ObservedIssuer,
  lag: number,
  now: Time,
): RememberedIssuer | undefined {
  if (chain === undefined || (before?.revision === revision && before.signer === chain.signer)) return before;
  const { signer, notAfter, notBefore } = chain;
  // Its own date, if that can be: what identity said of it was said before it was seen here.
  const since = Math.min(now, Math.max(notBefore, before?.since ?? notBefore));
  if (before === undefined) return { revision, signer, notAfter, since };
  // One that was not seen may have been another's.
  const isNext = revision === before.revision + 1 && signer === before.signer;
  return {
    revision,
    signer,
    notAfter,
    since,
    before: before.notAfter,
    hasty: since - before.since <= lag,
    ...(isNext && before.steady !== undefined && { steady: before.steady }),
  };
}

function withIdentity(issuer: RememberedIssuer, observed: ObservedTrust, now: Time): RememberedIssuer {
  const { takenUp, ...rest } = issuer;
  // Events are forgotten after an hour: what was proven stays so, unless something speaks against it.
  const isTaken = takenUp === undefined ? isProven(observed, issuer, now) : mistaken(observed, issuer).length === 0;
  return isTaken ? { ...rest, takenUp: takenUp ?? now, steady: issuer.steady ?? now } : rest;
}

/** Nobody who issues is no proof before it can be known that there is nobody. */
function isProven(observed: ObservedTrust, issuer: RememberedIssuer, now: Time): boolean {
  if (observed.identity.length === 0 && now < issuer.since + observed.policy.lag) return false;
  return unproven(observed, issuer).length === 0;
}

/**
 * The replicas of identity of which nothing proves that they work with the present issuer: not their metric, not an
 * Event for each, and not that they started when it had long been there.
 */
export function unproven(
  { identity, issuerUpdates, policy }: Pick<ObservedTrust, 'identity' | 'issuerUpdates' | 'policy'>,
  issuer: RememberedIssuer,
): readonly ObservedIdentity[] {
  const open = identity.filter(({ issuerEnd, since }) =>
    issuerEnd === undefined
      ? since < issuer.since + policy.lag + policy.skew
      : !isItsEnd(issuerEnd, issuer, policy.skew),
  );
  // An Event does not say whose it is, so that it counts only where there is one for each that has no metric.
  const silent = open.filter(({ issuerEnd }) => issuerEnd === undefined);
  const told = issuer.hasty ? 0 : issuerUpdates.filter((time) => time >= issuer.since).length;
  return silent.length > told ? open : open.filter(({ issuerEnd }) => issuerEnd !== undefined);
}

/** The replicas whose metric tells of another issuer than that in the Secret. */
export function mistaken(
  { identity, policy }: Pick<ObservedTrust, 'identity' | 'policy'>,
  issuer: RememberedIssuer,
): readonly ObservedIdentity[] {
  return identity.filter(({ issuerEnd }) => issuerEnd !== undefined && !isItsEnd(issuerEnd, issuer, policy.skew));
}

/** The end by the metric counts from the replica's clock; it must be nearer to this issuer's than to the one before. */
function isItsEnd(end: Time, { notAfter, before }: RememberedIssuer, skew: number): boolean {
  const gap = before === undefined ? Number.POSITIVE_INFINITY : Math.abs(notAfter - before);
  const distance = Math.abs(end - notAfter);
  return distance === 0 ? gap > 0 : distance < gap / 2 && distance <= skew;
}

/** The keys that the mesh's bundle holds. */
export function bundledKeys({ bundle }: Pick<ObservedTrust, 'bundle'>): ReadonlySet<AnchorKey> {
  return new Set(bundle?.anchors.map(({ key }) => key));
}
