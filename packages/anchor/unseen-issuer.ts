import type { AnchorKey, CaCertificate } from './chain';
import type { AnchorMemory } from './memory';
import type { ObservedAnchor, ObservedIssuer, ObservedTrust } from './observed';
import { anchorsAt } from './policy';
import { bridgePath } from './way';

/** Returns the anchors of no known cluster in the bundle that a running mesh may use. */
export function foreignAnchors(observed: ObservedTrust): readonly AnchorKey[] {
  const { bundle, anchors, members } = observed;
  if (!isAlive(observed)) return [];
  const known = new Set([
    ...anchors.flatMap(({ certificate, above = [] }) => [certificate?.key, ...above.map(({ key }) => key)]),
    ...members.flatMap(({ roots = [] }) => roots),
  ]);
  return [...new Set(bundle?.anchors.map(({ key }) => key))].filter((key) => !known.has(key));
}

/**
 * Returns the roots in the bundle that belong to no known cluster, and that nothing is known to use: the whole mesh
 * trusts the owner of such a key.
 */
export function strangeRoots(
  { bundle, anchors, members, issuer }: ObservedTrust,
  memory: AnchorMemory,
): readonly AnchorKey[] {
  const { current, rotation } = memory;
  const known = new Set([
    ...anchors.map(({ certificate }) => certificate?.key),
    ...members.flatMap(anchorsAt),
    // CAs between a bridge and the old anchor come into the bundle with it.
    ...anchors.flatMap((anchor) => pathOf(anchor, rotation?.from).map(({ key }) => key)),
    ...[issuer.chain?.signer, current?.key, rotation?.from, rotation?.key],
  ]);
  return [...new Set(bundle?.anchors.map(({ key }) => key))].filter((key) => !known.has(key));
}

function pathOf({ certificate, above = [] }: ObservedAnchor, from: AnchorKey | undefined): readonly CaCertificate[] {
  return (certificate && bridgePath(certificate, above, from)) ?? [];
}

/** Whether a mesh exists: there are replicas of identity, or pods with roots. */
export function isAlive({ identity, pods }: Pick<ObservedTrust, 'identity' | 'pods'>): boolean {
  return identity.length > 0 || pods.some(({ hash }) => hash !== undefined);
}

/**
 * Returns the anchor that the mesh must use if the issuer's signer is unknown, as after `linkerd install`: the one of
 * no known cluster in the bundle. Undefined if there are several.
 */
export function foreignAnchor(observed: ObservedTrust): AnchorKey | undefined {
  const [one, ...others] = foreignAnchors(observed);
  return others.length === 0 ? one : undefined;
}

/**
 * Returns the issuer. If its Secret is unknown, it is derived from the anchor that must have signed it and from
 * identity's metric.
 */
export function issuerInUse(observed: ObservedTrust): ObservedIssuer {
  const { issuer, identity } = observed;
  const signer = issuer.chain === undefined && issuer.state !== 'issued' ? foreignAnchor(observed) : undefined;
  const ends = identity.flatMap(({ issuerEnd }) => issuerEnd ?? []);
  if (signer === undefined || ends.length === 0) return issuer;
  return { ...issuer, chain: { signer, notBefore: 0, notAfter: Math.min(...ends), bridges: [] } };
}
