import { acceptedAnswer, answerFlaw } from '../answers';
import type { Time } from '../chain';
import type { Rotation } from '../memory';
import type { ObservedTrust } from '../observed';
import type { Milestone } from '../plan';
import { isCompromised } from '../policy';
import { CHANCE, endOfOld, isKeyLost, timeNeeded, timeToSign, unrenewedUntil } from '../rotation-target';
import { earliest } from '../times';
import type { BridgeSigner } from '../trust-anchor';
import { bridgeSigner, isBridged } from '../way';
import type { Announced } from './announced';
import { isAsking } from './minted';
import { open, passed } from './rotating';

/** Step 3: the old anchor has certified the next one, or never will. */
export interface Bridged extends Announced {
  readonly way: 'bridge' | 'restarts';
  /** Who will sign the missing bridge; undefined if none is planned. */
  readonly bridgeBy: BridgeSigner | undefined;
  /** The old anchor has signed the new one. */
  readonly bridged: boolean;
}

export function bridgedFacts(before: Announced): Bridged {
  const { observed, memory, rotation, to, from, key, now } = before;
  const bridged = to !== undefined && isBridged(to, rotation.from, observed, now);
  const isAwaited = !bridged && from === undefined && bridgeSigner(observed, rotation.from, rotation) !== undefined;
  const isOver = isAwaited && (givesUpBridge(observed, rotation, now) || isKeyLost(observed, memory, rotation));
  const unbridged = rotation.unbridged === true || isOver;
  const bridgeBy = bridgeSigner(observed, rotation.from, { unbridged });
  const isOpen = !bridged && bridgeBy !== undefined;
  const way = bridged || bridgeBy !== undefined ? 'bridge' : 'restarts';
  // Without a bridge, the certificate by another cluster is optional: the anchor exists, and signs, before it.
  const isEnough = way === 'restarts' && key !== undefined && isAsking(to, observed);
  return {
    ...before,
    record: { ...before.record, ...(unbridged && { unbridged }) },
    times: [...before.times, isOpen ? bridgeDeadline(observed, rotation) : undefined],
    minted: before.minted || isEnough,
    way,
    bridgeBy,
    bridged,
  };
}

/**
 * Returns the time from which only restarts are in time; undefined if the expiry of the old anchor is unknown. The
 * rotation began early enough for the workloads of that time: workloads that tenants have created since then do not
 * shorten the time of the user who has to sign.
 */
export function bridgeDeadline(observed: ObservedTrust, rotation: Rotation): Time | undefined {
  const end = endOfOld(observed, rotation);
  if (end === undefined) return undefined;
  const before = (workloads?: number): Time => end - timeNeeded(observed, 'restarts', workloads) * (1 + CHANCE);
  return Math.max(before(), Math.min(rotation.began + timeToSign(observed.policy), before(0)));
}

/**
 * Whether a rotation without a bridge stops waiting for one: at the deadline, except with the policy `Wait`; and in any
 * case before the new anchor has to sign because nothing else can.
 */
export function givesUpBridge(observed: ObservedTrust, rotation: Rotation, now: Time): boolean {
  const { policy } = observed;
  if (policy.paused) return false;
  const deadline = policy.awaitsBridge || policy.abort ? undefined : bridgeDeadline(observed, rotation);
  const last = earliest(deadline, lastMoment(observed));
  return last !== undefined && now >= last;
}

/** Returns the last time to issue a self-signed next anchor that signs before an issuer that nothing renews expires. */
function lastMoment(observed: ObservedTrust): Time | undefined {
  const { lag, patience } = observed.policy;
  const end = unrenewedUntil(observed);
  return end && end - lag - 2 * patience;
}

/** The facts that suspend requests: the operator requests no signature during a rollback or a hold. */
export type Suspendable = Bridged & { readonly aborting: boolean; readonly held: boolean };

/** Whether the rotation is paused, held or aborting, and so would not use a signature. */
export function isSuspended({ observed: { policy }, aborting, held }: Suspendable): boolean {
  return policy.paused || held || aborting;
}

export function bridgedMilestone(progress: Suspendable): Milestone {
  return progress.bridged || progress.rotation.retiring === true
    ? passed('Bridged', 'Certified', 'the old anchor has certified the new one')
    : awaitedBridge(progress);
}

function awaitedBridge(bridging: Suspendable): Milestone {
  const { observed, rotation, bridgeBy } = bridging;
  switch (bridgeBy) {
    case undefined:
      return waiting(
        'LongWay',
        isCompromised(observed, rotation.from)
          ? 'the key of the old anchor leaked, and certifies nothing any more: all pods are restarted before the new one signs'
          : rotation.unbridged
            ? 'the old anchor had not certified the new one by the deadline: all pods are restarted before the new one signs'
            : 'the old anchor cannot certify the new one: all pods are restarted before the new one signs',
      );
    case 'key':
      return waiting('Certifying', 'waiting for the old anchor to certify the new one');
    case 'request':
      return awaitedAnswer(bridging);
  }
}

function awaitedAnswer(bridging: Suspendable): Milestone {
  const { observed, rotation, to, key, now } = bridging;
  const request = to?.askedSigner === 'request' ? to.request : undefined;
  if (isSuspended(bridging)) return waiting('Suspended', 'no signature is requested during a pause or an abort');
  if (request === undefined || request.key !== key) {
    return waiting('Requesting', 'waiting for cert-manager to create the request for the signature of the old anchor');
  }
  if (acceptedAnswer(request, bridging) !== undefined) {
    return waiting('Answered', 'the signed certificate is accepted; waiting for cert-manager to store it');
  }
  const until = bridgeDeadline(observed, rotation);
  const limit = until === undefined ? {} : { until };
  const flaw = answerFlaw(request, bridging);
  // A certificate that is not valid yet is accepted once it is.
  if (flaw?.cause === 'not-yet-valid') return { ...wrong('WrongAnswer', SIGN), flaw, until: flaw.begin };
  if (flaw !== undefined) return { ...wrong('WrongAnswer', SIGN), flaw, ...limit };
  if (until !== undefined && now >= until) {
    return wrong('SignatureLate', `${SIGN}: only restarts would still be in time, and spec.bridge.ifUnsigned is Wait`);
  }
  return { ...waiting('SignatureNeeded', SIGN), ...limit };
}

const SIGN =
  "sign the request in status.bridge with the old anchor's key (cdk8s-linkerd anchor request prints it), and give the certificate back";

function waiting(reason: string, message: string): Milestone {
  return open('Bridged', reason, message);
}

function wrong(reason: string, message: string): Milestone {
  return { ...waiting(reason, message), isWrong: true };
}
