import type { Time } from './chain';
import type { Rotation } from './memory';
import type { ObservedAnchor, ObservedTrust } from './observed';
import type { AnchorAction } from './plan';
import { leadsTo, type Progress, spreadBy } from './progress';
import { bundledKeys } from './remember';
import { timeNeeded } from './rotation-target';
import { holdAnchor, keepRoots, pointSigner, unbundleAnchor } from './steps';

/** What a rotation does next. */
export function rotationActions(progress: Progress): readonly AnchorAction[] {
  const { rotation, to } = progress;
  if (to === undefined) return [{ do: 'apply-anchor', generation: rotation.to, signer: 'self', bundled: true }];
  const sign = [...signerActions(progress), ...issuerActions(progress)];
  if (rotation.retiring) return sign.length > 0 ? [...sign, ...takeBack(progress)] : retireOrWait(progress);
  return [...anchorActions(progress), ...sign, ...laggardActions(progress)];
}

function anchorActions({ observed, rotation, to, from, key, way, announced, bridged }: Progress): AnchorAction[] {
  if (to === undefined) return [];
  const actions: AnchorAction[] = [
    ...keepRoots(observed, [rotation.from, key]),
    ...(from === undefined ? [] : holdAnchor(from)),
    ...holdAnchor(to),
  ];
  if (way !== 'bridge' || from === undefined || bridged || !announced) return actions;
  const isAsked = to.askedSigner === from.generation;
  if (to.state !== 'issued' && !isAsked) return actions;
  if (!from.hasIssuer) return [...actions, { do: 'apply-issuer', generation: from.generation }];
  if (isAsked) return actions;
  return [...actions, { do: 'apply-anchor', generation: to.generation, signer: from.generation, bundled: true }];
}

/** The next anchor signs when it may; until then the old one does, or else nobody. */
function signerActions({ observed, rotation, from, maySign, signed, isFirst }: Progress): readonly AnchorAction[] {
  const wanted = maySign || signed || rotation.retiring ? rotation.to : from?.generation;
  if (wanted === undefined && isFirst) return [];
  return pointSigner(observed, wanted);
}

/** The issuer is signed anew where it is not the next anchor's, or where it lacks the bridge that others need. */
function issuerActions(progress: Progress): readonly AnchorAction[] {
  const { observed, rotation, maySign, signed, way, isFirst, bridged, now } = progress;
  const { issuer, signer } = observed;
  if (signer !== rotation.to || issuer.state !== 'issued') return [];
  const lacksBridge = way === 'bridge' && bridged && !isFirst && !leadsTo(observed, rotation.from, now);
  const isDue = signed ? lacksBridge && !rotation.retiring : maySign || rotation.retiring === true;
  return isDue ? [{ do: 'renew-issuer', revision: issuer.revision }] : [];
}

/** An anchor that signs after all has to be in the bundle. */
function takeBack({ observed, from, signed }: Progress): readonly AnchorAction[] {
  return signed || from === undefined || observed.issuer.chain?.signer !== from.certificate?.key
    ? []
    : holdAnchor(from);
}

/** Restarts pods that do not know the next anchor, where that is asked for or time is short. */
function laggardActions({
  observed,
  laggards,
  rotation,
  announced,
  way,
  now,
  signed,
}: Progress): readonly AnchorAction[] {
  const { policy, inWindow, pods } = observed;
  if (!announced || policy.laggards === 'Never') return [];
  const restartable = new Set(pods.flatMap(({ restartable: can, workload }) => (can ? [workload] : [])));
  // Who started when all was given out and knows it not would not know it the next time either.
  const spread = spreadBy(rotation.announced ?? now, policy);
  const workloads = laggards.workloads.flatMap(({ workload, since }) =>
    since < spread && restartable.has(workload) ? [workload] : [],
  );
  if (workloads.length === 0) return [];
  const end = endOfOld(observed, rotation);
  const isLate = end !== undefined && now >= end - timeNeeded(observed, way, workloads.length);
  const isMeant = inWindow && (policy.laggards === 'Restart' || (way === 'restarts' && !signed));
  return isLate || isMeant ? [{ do: 'restart-laggards', workloads, generation: rotation.to }] : [];
}

/** When the old anchor ends; where nobody can renew the issuer that it signed, the end of that, if it is earlier. */
export function endOfOld({ anchors, bundle, issuer, signer }: ObservedTrust, { from }: Rotation): Time | undefined {
  const certificates = [...anchors.flatMap(({ certificate }) => certificate ?? []), ...(bundle?.anchors ?? [])];
  const ends = certificates.filter(({ key }) => key === from).map(({ notAfter }) => notAfter);
  const { chain } = issuer;
  if (chain !== undefined && chain.signer === from && signer === undefined) ends.push(chain.notAfter);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** What came up late is waited for, as before: pods, for instance, that a forgotten injector made. */
function retireOrWait(progress: Progress): readonly AnchorAction[] {
  const isOn = progress.mayRetire || progress.rotation.dropped !== undefined;
  return isOn ? retireActions(progress) : laggardActions(progress);
}

/** The new anchor stands for itself, then the old ones leave the bundle, then they go. */
function retireActions({ observed, rotation, to, key, now }: Progress): readonly AnchorAction[] {
  if (to === undefined || key === undefined) return [];
  if (to.askedSigner !== 'self' && to.askedSigner !== 'other') {
    return [{ do: 'apply-anchor', generation: rotation.to, signer: 'self', bundled: true }];
  }
  if (to.state !== 'issued' || to.certificate?.signer !== key) return holdAnchor(to);
  const others = observed.anchors.filter(({ generation }) => generation !== rotation.to);
  const keep = keepRoots(observed, [key]);
  const [foreign, own] = [others.filter((anchor) => anchor.foreign), others.filter((anchor) => !anchor.foreign)];
  // A Secret whose label nobody here may change leaves the bundle by its end.
  if (keep.length > 0) return [...foreign.map(deleteAnchor), ...own.flatMap(unbundleAnchor), ...keep];
  const out = own.flatMap(unbundleAnchor);
  if (out.length > 0) return out;
  const isOut = rotation.dropped !== undefined && now >= rotation.dropped + observed.policy.lag;
  return isOut ? own.map(deleteAnchor) : [];
}

function deleteAnchor({ generation }: ObservedAnchor): AnchorAction {
  return { do: 'delete-anchor', generation };
}

/** Takes a rotation back: the old anchor signs again, and the new one goes when nothing of it lives. */
export function abortActions(progress: Progress): readonly AnchorAction[] {
  const { observed, rotation, from, to, key, signed } = progress;
  const roots = keepRoots(observed, [rotation.from, key]);
  // Nobody can sign with the old anchor any more: what has been signed stays.
  if (from === undefined && signed) return roots;
  const { issuer, signer } = observed;
  const back = [...(from === undefined ? [] : holdAnchor(from)), ...pointSigner(observed, from?.generation)];
  const isMixed = signed && issuer.state === 'issued' && from !== undefined && signer === from.generation;
  const renew: readonly AnchorAction[] = isMixed ? [{ do: 'renew-issuer', revision: issuer.revision }] : [];
  if (back.length + renew.length > 0) return [...roots, ...back, ...renew];
  if (!hasReturned(progress)) return roots;
  const keep = keepRoots(observed, [rotation.from]);
  const out = to === undefined || to.generation === 0 ? [] : unbundleAnchor(to);
  if (out.length + keep.length > 0) return [...keep, ...out];
  if (to === undefined || to.generation === 0 || (key !== undefined && bundledKeys(observed).has(key))) return [];
  return [{ do: 'delete-anchor', generation: to.generation }];
}

/** Nothing that the new anchor signed lives any more. */
function hasReturned({ observed, rotation, signed, from, guards, now }: Progress): boolean {
  const { policy } = observed;
  if (signed) return false;
  if (!guards.has('returned')) return true;
  // It may have signed what is still on its way.
  if (observed.issuer.state === 'issuing') return false;
  if (from === undefined && rotation.signing === undefined) return true;
  return rotation.returned !== undefined && now >= rotation.returned + policy.leafReach + policy.skew + policy.lag;
}
