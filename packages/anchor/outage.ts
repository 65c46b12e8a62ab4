import type { Time } from './chain';
import { rootsEnd } from './extend';
import type { AnchorMemory } from './memory';
import type { ObservedTrust } from './observed';
import type { Outage } from './plan';

/** Returns why identity cannot issue; undefined if there is no sign of that. */
export function outageOf(observed: ObservedTrust, { bundles }: AnchorMemory, now: Time): Outage | undefined {
  const { issuer, identity, pods } = observed;
  if (issuer.chain === undefined) return undefined;
  const isEnded = (end: Time | undefined): boolean => end !== undefined && end <= now;
  if (isEnded(issuer.chain.notAfter)) {
    return { reason: 'IssuerExpired', message: 'the identity issuer has expired: no proxy gets a certificate' };
  }
  if (identity.length === 0) {
    return pods.length === 0
      ? undefined
      : { reason: 'NoIdentity', message: "no replica of linkerd-identity runs: proxies' certificates are not renewed" };
  }
  if (identity.every(({ issuerEnd }) => isEnded(issuerEnd))) {
    return {
      reason: 'IssuerExpired',
      message: 'identity works with an issuer that has expired: restart linkerd-identity',
    };
  }
  if (identity.every((replica) => isEnded(rootsEnd(replica, observed, bundles, now)))) {
    return {
      reason: 'RootsExpired',
      message: 'the trust anchors that identity started with have ended: it refuses the next issuer',
    };
  }
  return undefined;
}
