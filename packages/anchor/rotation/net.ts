import { awaitsProof } from '../certified';
import type { Time } from '../chain';
import { extendAnchors, outlivedReplicas, rootsEnd } from '../extend';
import type { AnchorMemory } from '../memory';
import type { ObservedTrust } from '../observed';
import type { AnchorAction, AnchorPlan, Outage } from '../plan';
import { spreadBy } from '../times';
import { restartIdentity } from './actions';
import type { Progress } from './progress';

/**
 * Returns the actions that never wait, not even for the end of a pause: keeping the anchor alive, and identity working.
 */
export function netUnder(
  observed: ObservedTrust,
  memory: AnchorMemory,
  progress: Progress | undefined,
  now: Time,
): Pick<AnchorPlan, 'actions' | 'milestones' | 'outage'> & { readonly times: readonly Time[] } {
  const { rotation, maySign, aborting } = progress ?? {};
  const { actions, milestone, times } = extendAnchors(observed, memory, rotation, now);
  const mustBeProven = maySign === true || aborting === true || awaitsProof(observed, memory, now);
  const restart = restartIdentity(observed, memory, mustBeProven, now);
  const outage = outageOf(observed, memory, now);
  const { lag } = observed.policy;
  // A bundle counts when it has spread, and for other clusters when the last pod that started before that has been
  // observed.
  const spread = memory.bundles.map(({ since }) => spreadBy(since, observed.policy));
  return {
    actions: [...actions, ...(restart.length > 0 ? restart : rereadBundle(observed, memory, now))],
    milestones: milestone === undefined ? [] : [milestone],
    times: [...times, ...spread, ...spread.map((time) => time + lag)],
    ...(outage !== undefined && { outage }),
  };
}

/**
 * Restarts identity, the only component that depends on the expiry of its roots, if those from its start are about to
 * expire.
 */
function rereadBundle(observed: ObservedTrust, memory: AnchorMemory, now: Time): readonly AnchorAction[] {
  const { bundle } = observed;
  const isOutlived = bundle !== undefined && outlivedReplicas(observed, memory, now).length > 0;
  return isOutlived ? [{ do: 'restart-identity', bundle: bundle.hash }] : [];
}

/** Returns why identity cannot issue; undefined if there is no sign of that. */
function outageOf(observed: ObservedTrust, { bundles }: AnchorMemory, now: Time): Outage | undefined {
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
      message: 'identity uses an issuer that has expired: restart linkerd-identity',
    };
  }
  if (identity.every((replica) => isEnded(rootsEnd(replica, observed, bundles, now)))) {
    return {
      reason: 'RootsExpired',
      message:
        'the trust anchors that identity started with have expired: it refuses its issuer, and issues no certificates',
    };
  }
  return undefined;
}
