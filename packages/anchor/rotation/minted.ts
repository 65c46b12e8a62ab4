import type { AnchorKey, Time } from '../chain';
import { anchorsKnownTo } from '../knowledge';
import { mustGo } from '../leaks';
import type { AnchorMemory, Rotation } from '../memory';
import type { ObservedAnchor, ObservedTrust } from '../observed';
import type { AnchorAction, Milestone } from '../plan';
import { isAlive } from '../unseen-issuer';
import { anchorOf } from '../way';
import { open, passed, type Rotating } from './rotating';

/** Step 1: cert-manager has made the next anchor. */
export interface Minted extends Rotating {
  /** The record of the previous plan; started over if the key of the next anchor was lost. */
  readonly rotation: Rotation;
  /** The record of this plan, to which each step adds. */
  readonly record: Rotation;
  /** The times at which a step may change without an event; each step adds its own. */
  readonly times: readonly (Time | undefined)[];
  readonly to: ObservedAnchor | undefined;
  readonly from: ObservedAnchor | undefined;
  readonly key: AnchorKey | undefined;
  /** True if no pods have to be migrated. */
  readonly isFirst: boolean;
  /** The key of the old anchor leaked, or a key that it certified: restarts do not wait, and probes prove nothing. */
  readonly isEmergency: boolean;
  readonly minted: boolean;
}

export function mintedFacts(rotating: Rotating): Minted {
  const { observed, memory, rotation: before, now } = rotating;
  const to = observed.anchors.find(({ generation }) => generation === before.to);
  const key = to?.certificate?.key;
  const isOther = key !== undefined && before.key !== undefined && before.key !== key;
  const rotation = isOther ? restarted(before, anchorOf(observed, before.from)) : before;
  const isFirst = rotation.from === undefined && !knowsOthers(observed, memory, key);
  // A certificate by another cluster is optional for a first anchor, and for a next one while the old one is removed.
  const isEnough = (isFirst || rotation.retiring === true) && isAsking(to, observed);
  return {
    ...rotating,
    rotation,
    record: begun(rotation, key),
    times: [now + observed.policy.patience],
    to,
    from: anchorOf(observed, rotation.from),
    key,
    isFirst,
    isEmergency: mustGo(observed, rotation.from),
    minted: key !== undefined && (to?.state === 'issued' || isEnough),
  };
}

/** Whether an anchor is certified by another cluster, or waits for that, and may sign meanwhile. */
export function isAsking(anchor: ObservedAnchor | undefined, { policy }: ObservedTrust): boolean {
  return policy.certifiedBy !== undefined && anchor?.askedSigner === 'request';
}

/**
 * Starts over, without the observations of the announced key, which is lost. If the old anchor is gone or may no longer
 * sign, the anchor with the lost key becomes the one to replace.
 */
function restarted(
  { from, to, key, began, why, committed, retiring, unbridged }: Rotation,
  old: ObservedAnchor | undefined,
): Rotation {
  const isLost = committed === true || (retiring === true && old === undefined);
  // A lost key can sign no bridge, even if another Secret is lost after it.
  return { from: isLost ? key : from, to, began, why, ...((isLost || unbridged) && { unbridged: true }) };
}

/** Records the key of the next anchor, even while its Secret is lost: a new Secret has another key. */
function begun({ from, to, began, why, key: before }: Rotation, present: AnchorKey | undefined): Rotation {
  const key = present ?? before;
  return { ...(from !== undefined && { from }), to, ...(key !== undefined && { key }), began, why };
}

/**
 * Whether pods have to be migrated: from an external anchor, or with an unknown bundle. Anchors of other clusters do
 * not count in a new cluster: they are in its bundle before any of its pods could use them.
 */
function knowsOthers(observed: ObservedTrust, { bundles }: AnchorMemory, key: AnchorKey | undefined): boolean {
  const { bundle, anchors, pods, policy, members, issuer } = observed;
  const isNew = !isAlive(observed) || (key !== undefined && issuer.chain?.signer === key);
  const theirs = isNew ? members.flatMap(({ roots = [] }) => roots) : [];
  const own = new Set([...anchors.map(({ certificate }) => certificate?.key), ...theirs]);
  if ((bundle?.anchors ?? []).some((anchor) => !own.has(anchor.key))) return true;
  return pods.some(
    ({ hash, since }) => hash !== undefined && anchorsKnownTo({ hash, since }, bundles, policy).size === 0,
  );
}

/** Stays reached while cert-manager issues the same key again, as a bridge or self-signed. */
export function mintedMilestone({ rotation, minted }: Minted): Milestone {
  return minted || rotation.announced !== undefined || rotation.retiring
    ? passed('Minted', 'Issued', `cert-manager issued generation ${rotation.to}, because ${rotation.why}`)
    : open('Minted', 'Issuing', `waiting for cert-manager to issue generation ${rotation.to}, because ${rotation.why}`);
}

/** Creates the next anchor, self-signed. */
export function mintActions({ rotation, to }: Minted): readonly AnchorAction[] {
  return to === undefined ? [{ do: 'apply-anchor', generation: rotation.to, signer: 'self', bundled: true }] : [];
}
