import type { AskedSigner } from '../trust-anchor';
import { acceptedAnswer, answerFlaw } from './answers';
import { bridgeDeadline } from './bridge-deadline';
import type { ObservedAnchor } from './observed';
import type { AnchorAction, AwaitedSignature, Milestone } from './plan';
import type { Progress } from './progress';
import { endOfRoot } from './rotation-target';
import { bridgeEnd } from './way';

/** The facts about a rotation that decide over its bridge. */
type Bridging = Pick<
  Progress,
  | 'observed'
  | 'rotation'
  | 'to'
  | 'from'
  | 'key'
  | 'bridgeBy'
  | 'bridged'
  | 'announced'
  | 'way'
  | 'held'
  | 'isEmergency'
  | 'now'
>;

/**
 * Has the bridge made: asks cert-manager to have the next anchor signed by the old one, and answers the request with
 * what was given for it. The next anchor signs itself again once no bridge is awaited any more.
 */
export function bridgeActions(bridging: Bridging): readonly AnchorAction[] {
  const { to, from, key, bridgeBy, bridged, announced } = bridging;
  if (to === undefined) return [];
  // A Secret was lost if another key asks: signed by itself, it begins again.
  const isLost = to.request !== undefined && to.request.key !== key;
  // The old anchor's own signature may be under way when its key leaks.
  const isAsked = typeof to.askedSigner === 'number' && to.generation > 0;
  if (bridging.isEmergency && isAsked && !bridged) return byItself(to);
  if (isLost || (bridgeBy === undefined && !bridged)) return withoutBridge(to);
  const signer = bridgeBy === 'key' ? from?.generation : bridgeBy;
  if (bridged || !announced || signer === undefined) return [];
  return to.askedSigner === signer ? answerActions(to, bridging) : askActions(to, signer, from);
}

/** Asks the signer of the bridge, once the next anchor is issued, or in place of another signer that is elsewhere. */
function askActions(
  to: ObservedAnchor,
  signer: AskedSigner,
  from: ObservedAnchor | undefined,
): readonly AnchorAction[] {
  if (to.state !== 'issued' && !isElsewhere(to)) return [];
  return issuerActions(from) ?? [{ do: 'apply-anchor', generation: to.generation, signer, bundled: true }];
}

function answerActions(to: ObservedAnchor, bridging: Bridging): readonly AnchorAction[] {
  const answer = to.request && acceptedAnswer(to.request, bridging);
  const signer = bridging.rotation.from;
  if (answer === undefined || signer === undefined) return issuerActions(bridging.from) ?? [];
  return [{ do: 'answer-request', generation: to.generation, certificates: answer.map(({ id }) => id), signer }];
}

/** Creates the Issuer that signs with the old anchor's key, if that is in the cluster; undefined if it is there. */
function issuerActions(from: ObservedAnchor | undefined): readonly AnchorAction[] | undefined {
  return from === undefined || from.hasIssuer ? undefined : [{ do: 'apply-issuer', generation: from.generation }];
}

/** Whether a generation of the operator's waits for a signer outside of the cluster, or for one that is not asked now. */
function isElsewhere({ askedSigner, generation }: ObservedAnchor): boolean {
  return askedSigner === 'request' || askedSigner === 'issuer' || (askedSigner === 'other' && generation > 0);
}

/** Takes back a request that is not to be answered any more. */
export function withoutBridge(to: ObservedAnchor): readonly AnchorAction[] {
  return isElsewhere(to) ? byItself(to) : [];
}

function byItself({ generation }: ObservedAnchor): readonly AnchorAction[] {
  return [{ do: 'apply-anchor', generation, signer: 'self', bundled: true }];
}

/** Whether nobody would use a signature now. */
function isSuspended({ observed: { policy }, rotation, held }: Bridging): boolean {
  return policy.paused || held || rotation.aborting === true;
}

/** Returns the signature that a rotation waits for; undefined if it waits for none. */
export function awaitedSignature(bridging: Bridging): AwaitedSignature | undefined {
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

/** Returns the milestone of a bridge that there is not yet. */
export function awaitedBridge(bridging: Bridging): Milestone {
  const { rotation, to, bridgeBy, isEmergency } = bridging;
  switch (bridgeBy) {
    case undefined:
      return open(
        'LongWay',
        isEmergency
          ? 'the key of the old anchor leaked, and certifies nothing any more: all pods are restarted before the new one signs'
          : rotation.unbridged
            ? 'the old anchor had not certified the new one when only restarts were still in time: all pods are restarted before the new one signs'
            : 'the old anchor cannot certify the new one: all pods are restarted before the new one signs',
      );
    case 'key':
      return open('Certifying', 'the old anchor is to certify the new one');
    case 'issuer':
      return to?.askedSigner === 'issuer' && to.state === 'issued'
        ? notBridged(to, rotation)
        : open('Certifying', 'the issuer in spec.bridge is to certify the new anchor');
    case 'request':
      return awaitedAnswer(bridging);
  }
}

/** Says why what an issuer signed is no bridge. */
function notBridged(to: ObservedAnchor, { from }: Progress['rotation']): Milestone {
  return bridgeEnd(to, from) === undefined ? wrong('SignedByOther', SIGNED_BY_OTHER) : wrong('Unusable', UNUSABLE);
}

const SIGNED_BY_OTHER =
  'the issuer in spec.bridge certified the new anchor, but not with the key of the old one: name the issuer that has this key';

const UNUSABLE =
  'what the issuer in spec.bridge signed is not usable as a bridge: let it sign a CA certificate that is valid for as long as the old anchor, with cert sign, and without a path length, name constraints or extended key usages (for Vault, with the path pki/root/sign-intermediate)';

function awaitedAnswer(bridging: Bridging): Milestone {
  const { observed, rotation, to, key, now } = bridging;
  const request = to?.askedSigner === 'request' ? to.request : undefined;
  if (isSuspended(bridging)) return open('Suspended', 'no signature is asked for during a pause or a rollback');
  if (request === undefined || request.key !== key) {
    return open('Requesting', 'cert-manager is to make the request for the signature of the old anchor');
  }
  if (acceptedAnswer(request, bridging) !== undefined) {
    return open('Answered', 'the signed certificate is right, and cert-manager is to take it up');
  }
  const until = bridgeDeadline(observed, rotation);
  const limit = until === undefined ? {} : { until };
  const flaw = answerFlaw(request, bridging);
  // One that is right later is taken then.
  if (flaw?.cause === 'not-yet-valid') return { ...wrong('WrongAnswer', SIGN), flaw, until: flaw.begin };
  if (flaw !== undefined) return { ...wrong('WrongAnswer', SIGN), flaw, ...limit };
  if (until !== undefined && now >= until) {
    return wrong('SignatureLate', `${SIGN}: only restarts would still be in time, and spec.bridge.ifUnsigned is Wait`);
  }
  return { ...open('SignatureNeeded', SIGN), ...limit };
}

const SIGN =
  "the old anchor's key is to sign the request in status.bridge (cdk8s-linkerd anchor request prints it), and the certificate is to be given back";

function open(reason: string, message: string): Milestone {
  return { type: 'Bridged', status: false, reason, message };
}

function wrong(reason: string, message: string): Milestone {
  return { ...open(reason, message), isWrong: true };
}
