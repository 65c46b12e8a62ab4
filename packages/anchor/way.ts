import { remembered } from '#base/remembered';
import type { AnchorKey, CaCertificate, Time } from './chain';
import { excludes, isBridge, verifies } from './chain';
import type { Rotation } from './memory';
import type { ObservedAnchor, ObservedTrust } from './observed';
import { isCompromised } from './policy';
import type { BridgeSigner } from './trust-anchor';

/** Returns the anchor with a key, if it is in the cluster. */
export function anchorOf(
  { anchors }: Pick<ObservedTrust, 'anchors'>,
  key: AnchorKey | undefined,
): ObservedAnchor | undefined {
  return anchors.find(({ certificate }) => certificate !== undefined && certificate.key === key);
}

/** Returns how the present anchor is rotated: over a bridge if something or someone can sign it, else by restarts. */
export function wayOf(
  observed: ObservedTrust,
  from: AnchorKey | undefined,
  rotation?: Pick<Rotation, 'unbridged'>,
): 'bridge' | 'restarts' {
  return bridgeSigner(observed, from, rotation) === undefined ? 'restarts' : 'bridge';
}

/**
 * Returns who signs the bridge. Undefined if the present anchor may not certify others, if its key leaked, or if its
 * key is outside the cluster and the policy names no signer. Proxies enforce the name constraints of their root below
 * a bridge, too: the constraints must permit this cluster's trust domain.
 */
export function bridgeSigner(
  observed: ObservedTrust,
  from: AnchorKey | undefined,
  rotation?: Pick<Rotation, 'unbridged'>,
): BridgeSigner | undefined {
  if (isCompromised(observed, from)) return undefined;
  const held = anchorOf(observed, from);
  const given = (observed.bundle?.anchors ?? []).filter(({ key }) => key === from);
  const { trustDomain } = observed.policy;
  if ([held?.certificate, ...given].some((one) => one !== undefined && excludes(one, trustDomain))) return undefined;
  if (held !== undefined) return held.certificate?.pathLength === 0 ? undefined : 'key';
  const mayCertify = given.some(({ pathLength }) => pathLength !== 0);
  return mayCertify && !rotation?.unbridged ? observed.policy.bridgeSigner : undefined;
}

/**
 * Returns the CA certificates that lead from a bridge to an anchor, the bridge first; undefined if there is no path.
 */
export function bridgePath<C extends CaCertificate>(
  bridge: C,
  others: readonly C[],
  from: AnchorKey | undefined,
): readonly C[] | undefined {
  const path = [bridge];
  for (let top = bridge; top.signer !== from; ) {
    const next = others.find((one) => one.key === top.signer && !path.includes(one));
    if (next === undefined) return undefined;
    path.push(next);
    top = next;
  }
  return isBridge(bridge) ? path : undefined;
}

/** Whether each certificate of a path allows as many CAs below it as there are, the identity issuer included. */
export function allowsIssuer(path: readonly CaCertificate[]): boolean {
  return path.every(({ pathLength = Number.POSITIVE_INFINITY }, index) => pathLength > index);
}

/** Returns when the bridge from an anchor to another one ends; undefined if there is none. */
export function bridgeEnd({ certificate, above = [] }: ObservedAnchor, from: AnchorKey | undefined): Time | undefined {
  const path = certificate && bridgePath(certificate, above, from);
  return path && Math.min(...path.map(({ notAfter }) => notAfter));
}

/** Whether an anchor is certified by another one: proxies that trust only the other one accept what it signs. */
export function isBridged(
  { certificate, above = [] }: ObservedAnchor,
  from: AnchorKey | undefined,
  { policy: { trustDomain } }: Pick<ObservedTrust, 'policy'>,
  now: Time,
): boolean {
  const path = certificate && bridgePath(certificate, above, from);
  if (certificate === undefined || from === undefined || path === undefined || !allowsIssuer(path)) return false;
  if (path.some((one) => one.unusable || excludes(one, trustDomain))) return false;
  // A clock that is ahead does not invalidate what was issued.
  const bridges = path.map((one) => ({ ...one, notBefore: now }));
  return verifies({ signer: certificate.key, notBefore: now, notAfter: now + 1, bridges }, new Set([from]), now);
}

/** Returns the workloads that a restart may reach. */
export function restartableIn({ pods }: Pick<ObservedTrust, 'pods'>): ReadonlySet<string> {
  return restartable(pods);
}

const restartable = remembered((pods: ObservedTrust['pods']): ReadonlySet<string> => {
  return new Set(pods.flatMap(({ restartable, workload }) => (restartable ? [workload] : [])));
});

/** Whether pods that trust only this anchor accept the certificates that identity issues. */
export function leadsTo(
  { issuer: { chain } }: Pick<ObservedTrust, 'issuer'>,
  key: AnchorKey | undefined,
  now: Time,
): boolean {
  if (chain === undefined || key === undefined) return false;
  // A clock that is ahead does not invalidate what was issued.
  return verifies({ ...chain, notBefore: now }, new Set([key]), now);
}
