import type { AnchorKey } from './chain';
import type { AnchorMemory } from './memory';
import type { ObservedIssuer, ObservedTrust } from './observed';

/** The anchors in the bundle that are not of here, and by which a mesh that runs may live. */
export function foreignAnchors(observed: ObservedTrust): readonly AnchorKey[] {
  const { bundle, anchors, members } = observed;
  if (!isAlive(observed)) return [];
  const known = new Set([
    ...anchors.map(({ certificate }) => certificate?.key),
    ...members.flatMap(({ roots = [] }) => roots),
  ]);
  return [...new Set(bundle?.anchors.map(({ key }) => key))].filter((key) => !known.has(key));
}

/**
 * The roots in the bundle that are neither an anchor of this cluster nor of one that shares it, and that nothing is known to
 * live by: who has the key of one is trusted by the whole mesh.
 */
export function strangeRoots(
  { bundle, anchors, members, issuer }: ObservedTrust,
  memory: AnchorMemory,
): readonly AnchorKey[] {
  const { current, rotation } = memory;
  const known = new Set([
    ...anchors.map(({ certificate }) => certificate?.key),
    ...members.flatMap(({ roots = [], signing }) => [...roots, ...signing]),
    ...[issuer.chain?.signer, current?.key, rotation?.from, rotation?.key],
  ]);
  return [...new Set(bundle?.anchors.map(({ key }) => key))].filter((key) => !known.has(key));
}

/** Tells whether there is a mesh: somebody who issues, or somebody who was given roots. */
export function isAlive({ identity, pods }: Pick<ObservedTrust, 'identity' | 'pods'>): boolean {
  return identity.length > 0 || pods.some(({ hash }) => hash !== undefined);
}

/**
 * The anchor that the mesh must live by where nobody knows who signed the issuer, as after `linkerd install`: the one in
 * the bundle that is not of here. Undefined where there are several.
 */
export function foreignAnchor(observed: ObservedTrust): AnchorKey | undefined {
  const [one, ...others] = foreignAnchors(observed);
  return others.length === 0 ? one : undefined;
}

/** The issuer, as far as it shows: that of nobody's knowledge by the anchor that it must be of, and by identity's metric. */
export function issuerInUse(observed: ObservedTrust): ObservedIssuer {
  const { issuer, identity } = observed;
  const signer = issuer.chain === undefined && issuer.state !== 'issued' ? foreignAnchor(observed) : undefined;
  const ends = identity.flatMap(({ issuerEnd }) => issuerEnd ?? []);
  if (signer === undefined || ends.length === 0) return issuer;
  return { ...issuer, chain: { signer, notBefore: 0, notAfter: Math.min(...ends), bridges: [] } };
}
