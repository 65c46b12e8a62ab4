import { type AnchorKey, type Time, verifies } from './chain';
import type { AnchorMemory } from './memory';
import type { ObservedAnchor, ObservedTrust } from './observed';
import type { AnchorAction } from './plan';
import { bundledKeys, mistaken, unproven } from './remember';
import { takenUpBy } from './times';

/** Has an anchor stay as it is, and in the bundle. */
export function holdAnchor(anchor: ObservedAnchor): readonly AnchorAction[] {
  const { generation, changesKey } = anchor;
  return [...(changesKey ? [{ do: 'keep-key', generation } as const] : []), ...bundleAnchor(anchor)];
}

function bundleAnchor({ generation, bundled, foreign, askedSigner }: ObservedAnchor): readonly AnchorAction[] {
  if (bundled || foreign) return [];
  if (generation === 0 || askedSigner === 'other') return [{ do: 'bundle', generation, bundled: true }];
  return [{ do: 'apply-anchor', generation, signer: askedSigner, bundled: true }];
}

/** Takes an anchor out of the bundle. */
export function unbundleAnchor({ generation, bundled, askedSigner }: ObservedAnchor): readonly AnchorAction[] {
  if (!bundled) return [];
  if (generation === 0 || askedSigner === 'other') return [{ do: 'bundle', generation, bundled: false }];
  return [{ do: 'apply-anchor', generation, signer: askedSigner, bundled: false }];
}

/**
 * Keeps these anchors in the bundle whatever becomes of their Secrets, as far as there is a certificate to keep; and
 * those by which other clusters sign.
 */
export function keepRoots(
  { kept, outlived = [], bundle, members, policy }: ObservedTrust,
  keys: readonly (AnchorKey | undefined)[],
): readonly AnchorAction[] {
  const theirs = members.flatMap(({ name, roots = [] }) => (policy.members.includes(name) ? roots : []));
  const known = new Set([...kept, ...theirs, ...(bundle?.anchors ?? []).map(({ key }) => key)]);
  const wanted = [...new Set([...keys, ...theirs])].flatMap((key) => (key && known.has(key) ? [key] : []));
  if (wanted.length === 0) return [];
  const isSame = wanted.length === kept.length && wanted.every((key) => kept.includes(key) && !outlived.includes(key));
  return isSame ? [] : [{ do: 'keep-roots', keys: wanted }];
}

/** Points the issuer of identity issuers to a generation; to none, where nobody may sign. */
export function pointSigner({ signer }: ObservedTrust, generation: number | undefined): readonly AnchorAction[] {
  if (generation !== undefined) return signer === generation ? [] : [{ do: 'set-signer', generation }];
  return typeof signer === 'number' ? [{ do: 'hold-signer' }] : [];
}

/** Restarts identity where it has had time enough to take up the present issuer, and something is known to work without. */
export function restartIdentity(
  observed: ObservedTrust,
  { issuer }: AnchorMemory,
  mustBeProven: boolean,
  now: Time,
): readonly AnchorAction[] {
  const { policy } = observed;
  if (issuer === undefined || issuer.takenUp !== undefined || observed.issuer.state !== 'issued') return [];
  // Whoever starts then starts with it, and by that proves it.
  if (now < takenUpBy(issuer.seen, policy)) return [];
  // It would not start with one that it cannot verify, and works on with the one that it has.
  const { chain } = observed.issuer;
  if (chain === undefined || !verifies(chain, bundledKeys(observed), now)) return [];
  const without = mustBeProven ? unproven(observed, issuer) : mistaken(observed, issuer);
  return without.length === 0 ? [] : [{ do: 'restart-identity', revision: issuer.revision }];
}
