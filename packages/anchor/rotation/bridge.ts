import { acceptedAnswer } from '../answers';
import { certifyingActions } from '../certified';
import type { ObservedAnchor, ObservedTrust } from '../observed';
import type { AnchorAction, AwaitedSignature } from '../plan';
import { isCompromised } from '../policy';
import { endOfRoot } from '../rotation-target';
import type { AskedSigner } from '../trust-anchor';
import { type Bridged, bridgeDeadline, isSuspended, type Suspendable } from './bridged';

/**
 * Gets the next anchor certified by the old one. Without a bridge, the cluster that the policy names certifies it:
 * otherwise, nothing would chain to that cluster's anchor once the next anchor signs.
 */
export function certificateActions(progress: Bridged): readonly AnchorAction[] {
  const { observed, memory, to, from, isFirst, way, announced, now } = progress;
  // A Secret without a Certificate is visible only through an Issuer once it no longer signs.
  const isAlone = way === 'restarts' && from?.onlySecret === true;
  if (isAlone && !from.hasIssuer) return [{ do: 'apply-issuer', generation: from.generation }];
  if (to === undefined) return [];
  const isUnbridged = isFirst || (way === 'restarts' && announced && typeof to.askedSigner !== 'number');
  const isElsewhere = isUnbridged && observed.policy.certifiedBy !== undefined;
  return isElsewhere ? certifyingActions(to, observed, memory, now) : bridgeActions(progress);
}

/**
 * Asks cert-manager to have the next anchor signed by the old one, and answers the request with the given
 * certificates. The next anchor signs itself again once no bridge is awaited any more.
 */
export function bridgeActions(bridging: Bridged): readonly AnchorAction[] {
  const { observed, rotation, to, from, key, bridgeBy, bridged, announced } = bridging;
  if (to === undefined) return [];
  // If the request is for another key, the Secret was lost: the new key signs itself, and the bridge starts over.
  const isLost = to.request !== undefined && to.request.key !== key;
  // cert-manager may already be signing with the old anchor when its key leaks.
  const isAsked = typeof to.askedSigner === 'number' && to.generation > 0;
  if (isCompromised(observed, rotation.from) && isAsked && !bridged) return byItself(to);
  if (isLost || isUnsignable(to, observed) || (bridgeBy === undefined && !bridged)) return withoutBridge(to, observed);
  const signer = bridgeBy === 'key' ? from?.generation : bridgeBy;
  if (bridged || !announced || signer === undefined) return [];
  return to.askedSigner === signer ? answerActions(to, bridging) : askActions(to, signer, from);
}

/** Asks the signer of the bridge, once the next anchor is issued, or while it waits for an external signer. */
function askActions(
  to: ObservedAnchor,
  signer: AskedSigner,
  from: ObservedAnchor | undefined,
): readonly AnchorAction[] {
  if (to.state !== 'issued' && !isElsewhere(to)) return [];
  return issuerActions(from) ?? [{ do: 'apply-anchor', generation: to.generation, signer, bundled: true }];
}

function answerActions(to: ObservedAnchor, bridging: Bridged): readonly AnchorAction[] {
  const answer = to.request && acceptedAnswer(to.request, bridging);
  const signer = bridging.rotation.from;
  if (answer === undefined || signer === undefined) return issuerActions(bridging.from) ?? [];
  return [{ do: 'answer-request', generation: to.generation, certificates: answer.map(({ id }) => id), signer }];
}

/**
 * Creates the Issuer that signs with the old anchor's key; undefined if it exists, or the key is outside the cluster.
 */
function issuerActions(from: ObservedAnchor | undefined): readonly AnchorAction[] | undefined {
  return from === undefined || from.hasIssuer ? undefined : [{ do: 'apply-issuer', generation: from.generation }];
}

/** Whether a generation of the operator has a signer outside the cluster, or one that the operator does not use now. */
function isElsewhere({ askedSigner, generation }: ObservedAnchor): boolean {
  return askedSigner === 'request' || (askedSigner === 'other' && generation > 0);
}

/**
 * Whether a generation waits for a signer that will never sign: one that is gone, or one that lost its key. The latter
 * has a new key, which waits for another cluster, and clusters certify only keys that sign.
 */
function isUnsignable(
  { askedSigner, generation, state }: ObservedAnchor,
  { anchors }: Pick<ObservedTrust, 'anchors'>,
): boolean {
  if (typeof askedSigner !== 'number' || generation === 0 || state === 'issued') return false;
  const signer = anchors.find((one) => one.generation === askedSigner);
  return signer === undefined || (signer.certificate === undefined && signer.askedSigner === 'request');
}

/** Replaces a request that is no longer needed, or that cannot be answered, by a self-signed certificate. */
export function withoutBridge(to: ObservedAnchor, observed: Pick<ObservedTrust, 'anchors'>): readonly AnchorAction[] {
  return isElsewhere(to) || isUnsignable(to, observed) ? byItself(to) : [];
}

function byItself({ generation }: ObservedAnchor): readonly AnchorAction[] {
  return [{ do: 'apply-anchor', generation, signer: 'self', bundled: true }];
}

/** Returns the signature that a rotation waits for; undefined if it waits for none. */
export function awaitedSignature(bridging: Suspendable): AwaitedSignature | undefined {
  const { observed, rotation, to, key, bridgeBy, bridged } = bridging;
  if (bridged || isSuspended(bridging)) return undefined;
  if (bridgeBy !== 'request' || to?.askedSigner !== 'request' || rotation.from === undefined) return undefined;
  if (to.request === undefined || to.request.key !== key) return undefined;
  if (acceptedAnswer(to.request, bridging) !== undefined) return undefined;
  const until = bridgeDeadline(observed, rotation);
  const end = endOfRoot(observed, rotation.from);
  return {
    generation: to.generation,
    signer: rotation.from,
    ...(until !== undefined && { until }),
    ...(end !== undefined && { end }),
  };
}
