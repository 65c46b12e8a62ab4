import { bridgeActions, withoutBridge } from './bridge';
import { certifyingActions, isCertified, isChained } from './certified';
import type { Time } from './chain';
import { anchorsKnownTo, workloadsOf } from './knowledge';
import { startedAfter } from './leaves';
import type { ObservedAnchor } from './observed';
import type { AnchorAction } from './plan';
import type { Progress } from './progress';
import { bundledKeys } from './remember';
import { endOfOld, timeNeeded } from './rotation-target';
import { leadsTo } from './signing';
import { holdAnchor, keepRoots, pointSigner, unbundleAnchor } from './steps';
import { earliest } from './times';
import { bridgeEnd } from './way';

/** Returns the next actions of a rotation. */
export function rotationActions(progress: Progress): readonly AnchorAction[] {
  const { rotation, to, held } = progress;
  if (rotation.aborting) return abortActions(progress);
  if (held) return heldActions(progress);
  if (to === undefined) return [{ do: 'apply-anchor', generation: rotation.to, signer: 'self', bundled: true }];
  const sign = [...signerActions(progress), ...issuerActions(progress)];
  if (rotation.retiring) return sign.length > 0 ? [...sign, ...takeBack(progress)] : retireOrWait(progress);
  const restart = turnedFrom(progress) === undefined ? laggardActions(progress) : turnActions(progress);
  return [...anchorActions(progress), ...sign, ...restart, ...lateIdentity(progress)];
}

function anchorActions(progress: Progress): AnchorAction[] {
  const { to, from, way } = progress;
  if (to === undefined) return [];
  const actions: AnchorAction[] = [
    ...holdRoots(progress),
    ...(from === undefined ? [] : holdAnchor(from)),
    ...holdAnchor(to),
  ];
  // For a Secret alone, only its Issuer would show that it still exists when it no longer signs.
  const isAlone = way === 'restarts' && from?.foreign === true && !from.hasIssuer;
  if (isAlone) return [...actions, { do: 'apply-issuer', generation: from.generation }];
  return [...actions, ...certificateActions(progress, to)];
}

/** Has the next anchor certified by the old one; a first one, for which there is none, by another cluster. */
function certificateActions(progress: Progress, to: ObservedAnchor): readonly AnchorAction[] {
  const { isFirst, observed, memory, now } = progress;
  const isElsewhere = isFirst && observed.policy.certifiedBy !== undefined;
  return isElsewhere ? certifyingActions(to, observed, memory, now) : bridgeActions(progress);
}

/** Keeps all signers, past or possible: certificates of a lost key may still be valid. */
function holdRoots({ observed, rotation, key }: Progress): readonly AnchorAction[] {
  return keepRoots(observed, [...observed.kept, rotation.from, key, observed.issuer.chain?.signer]);
}

/** Makes the next anchor sign when it may; until then the old one, or else none. */
function signerActions(progress: Progress): readonly AnchorAction[] {
  const { observed, rotation, from, maySign, signed, isFirst } = progress;
  const old = rotation.committed ? undefined : from?.generation;
  const wanted = maySign || signed || mustSign(progress) ? rotation.to : old;
  if (wanted === undefined && isFirst) return [];
  return pointSigner(observed, wanted);
}

/** Whether there is no way back, with the same anchor: a lost key is followed by an unknown one. */
function mustSign({ rotation, key }: Progress): boolean {
  return (rotation.retiring === true || rotation.committed === true) && key !== undefined;
}

/** Reissues the issuer if it is not the next anchor's, or if it lacks a bridge that others need. */
function issuerActions(progress: Progress): readonly AnchorAction[] {
  const { observed, rotation, maySign, signed, bridged, now } = progress;
  const { issuer, signer } = observed;
  if (signer !== rotation.to || issuer.state !== 'issued') return [];
  const lacksBridge = bridged && !leadsTo(observed, rotation.from, now);
  const isDue = signed ? lacksBridge && !rotation.retiring : maySign || mustSign(progress);
  return isDue ? [{ do: 'renew-issuer', revision: issuer.revision }] : [];
}

/** Adds an anchor that signs again to the bundle. */
function takeBack({ observed, from }: Progress): readonly AnchorAction[] {
  return from === undefined || observed.issuer.chain?.signer !== from.certificate?.key ? [] : holdAnchor(from);
}

/** Restarts identity, which is not a workload of the user, even if workloads are not restarted. */
function lateIdentity({ observed, memory, key, announced }: Progress): readonly AnchorAction[] {
  const { policy, identity, bundle } = observed;
  if (policy.laggards !== 'Never' || !announced || key === undefined || bundle === undefined) return [];
  const isLate = identity.some(({ since }) => !anchorsKnownTo({ since }, memory.bundles, policy).has(key));
  return isLate ? [{ do: 'restart-identity', bundle: bundle.hash }] : [];
}

/** Restarts pods that do not know the next anchor, if requested or if time is short. */
function laggardActions({
  observed,
  memory,
  laggards,
  rotation,
  announced,
  givenOut,
  way,
  now,
  signed,
  to,
  isEmergency,
}: Progress): readonly AnchorAction[] {
  const { policy, inWindow } = observed;
  if (!announced || policy.laggards === 'Never') return [];
  const restartable = restartableIn(observed);
  // A pod that started with the whole bundle and does not know it would not know it the next time either.
  const workloads = laggards.workloads.flatMap(({ workload, since }) =>
    since < givenOut && restartable.has(workload) ? [workload] : [],
  );
  if (workloads.length === 0) return [];
  // An extension gains time for pods that cannot be restarted, not for those that can.
  const end = earliest(endOfOld(observed, rotation, memory.current), to && bridgeEnd(to, rotation.from));
  const isLate = end !== undefined && now >= end - timeNeeded(observed, way, workloads.length);
  const isMeant = inWindow && (policy.laggards === 'Restart' || (way === 'restarts' && !signed));
  const isNow = isLate || isMeant || isEmergency;
  return isNow ? [{ do: 'restart-laggards', workloads, generation: rotation.to }] : [];
}

function restartableIn({ pods }: Progress['observed']): ReadonlySet<string> {
  return new Set(pods.flatMap(({ restartable, workload }) => (restartable ? [workload] : [])));
}

/**
 * Returns the time from which on a pod that starts has a certificate of the new anchor, while an emergency waits for
 * that: proxies get another one when they start, so that nobody waits until the old ones expire.
 */
export function turnedFrom(progress: Progress): Time | undefined {
  const { rotation, isEmergency, signing, leavesTurned, laggards, observed } = progress;
  const isOpen = isEmergency && signing && !leavesTurned && laggards.pods === 0 && !rotation.aborting;
  return isOpen && rotation.signing !== undefined ? startedAfter(rotation.signing, observed.policy) : undefined;
}

function turnActions(progress: Progress): readonly AnchorAction[] {
  const { observed, rotation, now } = progress;
  const from = turnedFrom(progress);
  if (from === undefined || observed.policy.laggards === 'Never') return [];
  // Each workload restarts once: a pod that starts now must count, by a clock that is behind, and in whole seconds.
  if (now < startedAfter(from, observed.policy)) return [];
  const restartable = restartableIn(observed);
  const old = observed.pods.filter(({ since, workload }) => since < from && restartable.has(workload));
  const { workloads } = workloadsOf(old);
  if (workloads.length === 0) return [];
  return [{ do: 'restart-laggards', workloads: workloads.map(({ workload }) => workload), generation: rotation.to }];
}

/**
 * Waits for late events: pods from an injector with an old configuration, for example, or the anchor with which another
 * cluster replaced a lost one.
 */
function retireOrWait(progress: Progress): readonly AnchorAction[] {
  const isOn = progress.mayRetire || progress.rotation.dropped !== undefined;
  return isOn ? retireActions(progress) : [...holdRoots(progress), ...laggardActions(progress)];
}

/**
 * Makes the new anchor self-signed, then deletes the keys of the old ones, with everything that could sign with them,
 * and then removes them from the bundle.
 */
function retireActions({ observed, memory, rotation, to, key, now }: Progress): readonly AnchorAction[] {
  if (to === undefined) return [];
  // A lost key is followed by another one, which nobody elsewhere is to sign.
  if (key === undefined) return withoutBridge(to);
  const certified = isCertified(to, observed, memory, now);
  // Over the old anchor, its certificates still lead to that of another cluster: they are to go on doing so.
  if (!certified && isChained(observed, memory, now)) return certifyingActions(to, observed, memory, now);
  if (to.askedSigner !== 'self' && !isByItself(to) && !certified) {
    return [{ do: 'apply-anchor', generation: rotation.to, signer: 'self', bundled: true }];
  }
  if (to.state !== 'issued' || (to.certificate?.signer !== key && !certified)) return holdAnchor(to);
  const others = observed.anchors.filter(({ generation }) => generation !== rotation.to);
  if (others.length > 0) return others.map(deleteAnchor);
  const isGone = rotation.dropped !== undefined && now >= rotation.dropped + observed.policy.lag;
  return isGone ? keepRoots(observed, [key]) : [];
}

/** Whether an unknown signer is that of an adopted anchor, which stays as it is. */
function isByItself({ askedSigner, certificate, generation }: ObservedAnchor): boolean {
  return askedSigner === 'other' && (generation === 0 || certificate?.signer === certificate?.key);
}

function deleteAnchor({ generation }: ObservedAnchor): AnchorAction {
  return { do: 'delete-anchor', generation };
}

/**
 * Rolls back a rotation: the old anchor signs again, and the new one is removed when nothing that it signed is valid.
 */
function abortActions(progress: Progress): readonly AnchorAction[] {
  const { observed, rotation, from, to, key, signed, hasReturned } = progress;
  const roots = holdRoots(progress);
  const { issuer, signer } = observed;
  const back = from === undefined ? [] : [...holdAnchor(from), ...pointSigner(observed, from.generation)];
  const isMixed = signed && issuer.state === 'issued' && from !== undefined && signer === from.generation;
  const renew: readonly AnchorAction[] = isMixed ? [{ do: 'renew-issuer', revision: issuer.revision }] : [];
  if (back.length + renew.length > 0) return [...roots, ...back, ...renew];
  if (!hasReturned) return roots;
  const keep = keepRoots(observed, [rotation.from]);
  const out = to === undefined ? [] : unbundleAnchor(to);
  if (out.length + keep.length > 0) return [...keep, ...out];
  if (to === undefined || (key !== undefined && bundledKeys(observed).has(key))) return [];
  return [{ do: 'delete-anchor', generation: to.generation }];
}

/** Keeps everything while a rotation can neither be rolled back nor continue: the signer continues. */
function heldActions(progress: Progress): readonly AnchorAction[] {
  const { from, to, signed, lastCall, bridged, bridgeBy } = progress;
  const kept = [from, to].flatMap((anchor) => (anchor === undefined ? [] : holdAnchor(anchor)));
  const alone = to === undefined || bridged || bridgeBy !== undefined ? [] : withoutBridge(to);
  const sign = signed || lastCall ? [...signerActions(progress), ...issuerActions(progress)] : [];
  return [...holdRoots(progress), ...kept, ...alone, ...sign];
}
