import { type AnchorKey, type Time, verifies } from '../chain';
import { membersWithRoots } from '../members';
import type { AnchorMemory } from '../memory';
import type { ObservedAnchor, ObservedTrust } from '../observed';
import type { AnchorAction } from '../plan';
import { bundledKeys, mistaken, unproven } from '../remember';
import { takenUpBy } from '../times';

/** Keeps an anchor unchanged, and in the bundle. */
export function holdAnchor(anchor: ObservedAnchor): readonly AnchorAction[] {
  const { generation, changesKey } = anchor;
  return [...(changesKey ? [{ do: 'keep-key', generation } as const] : []), ...bundleAnchor(anchor)];
}

function bundleAnchor({ generation, bundled, onlySecret, askedSigner }: ObservedAnchor): readonly AnchorAction[] {
  if (bundled || onlySecret) return [];
  if (generation === 0 || askedSigner === 'other') return [{ do: 'bundle', generation, bundled: true }];
  return [{ do: 'apply-anchor', generation, signer: askedSigner, bundled: true }];
}

/**
 * Removes an anchor from the bundle. While it waits for a signer, which may be gone, it signs itself: cert-manager
 * changes the labels of a Secret only when it has nothing to issue.
 */
export function unbundleAnchor({ generation, bundled, askedSigner, state }: ObservedAnchor): readonly AnchorAction[] {
  const isWaiting = state !== 'issued' && askedSigner !== 'self' && generation > 0;
  if (isWaiting) return [{ do: 'apply-anchor', generation, signer: 'self', bundled: false }];
  if (!bundled) return [];
  if (generation === 0 || askedSigner === 'other') return [{ do: 'bundle', generation, bundled: false }];
  return [{ do: 'apply-anchor', generation, signer: askedSigner, bundled: false }];
}

/**
 * Keeps these anchors in the bundle whatever happens to their Secrets, as far as their certificates are known. Also
 * keeps the anchors with which other clusters sign, unless this cluster has certified them.
 */
export function keepRoots(observed: ObservedTrust, keys: readonly (AnchorKey | undefined)[]): readonly AnchorAction[] {
  const { kept, outlived = [], bundle } = observed;
  const theirs = membersWithRoots(observed).flatMap(({ roots = [] }) => roots);
  const known = new Set([...kept, ...theirs, ...(bundle?.anchors ?? []).map(({ key }) => key)]);
  const wanted = [...new Set([...keys, ...theirs])].flatMap((key) => (key && known.has(key) ? [key] : []));
  if (wanted.length === 0) return [];
  const isSame = wanted.length === kept.length && wanted.every((key) => kept.includes(key) && !outlived.includes(key));
  return isSame ? [] : [{ do: 'keep-roots', keys: wanted }];
}

/** Points the ClusterIssuer of identity issuers at a generation; at none if nothing may sign. */
export function pointSigner({ signer }: ObservedTrust, generation: number | undefined): readonly AnchorAction[] {
  if (generation !== undefined) return signer === generation ? [] : [{ do: 'set-signer', generation }];
  return typeof signer === 'number' ? [{ do: 'hold-signer' }] : [];
}

/**
 * Restarts identity if it has had enough time to load the current issuer, and a replica is known not to use it; with
 * `mustBeProven`, if a replica does not prove that it uses it.
 */
export function restartIdentity(
  observed: ObservedTrust,
  { issuer }: AnchorMemory,
  mustBeProven: boolean,
  now: Time,
): readonly AnchorAction[] {
  const { policy } = observed;
  if (issuer === undefined || issuer.takenUp !== undefined || observed.issuer.state !== 'issued') return [];
  // A replica that starts from then on uses the current issuer, so its start is proof.
  if (now < takenUpBy(issuer.seen, policy)) return [];
  // Identity does not start with an issuer that it cannot verify, whereas a running replica keeps its earlier one.
  const { chain } = observed.issuer;
  if (chain === undefined || !verifies(chain, bundledKeys(observed), now)) return [];
  const without = mustBeProven ? unproven(observed, issuer) : mistaken(observed, issuer);
  return without.length === 0 ? [] : [{ do: 'restart-identity', revision: issuer.revision }];
}
