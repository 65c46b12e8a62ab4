import type { CertManagerPKI } from './cert-manager-pki';
import { isOwnAnchor } from './trust-anchor';

/** A mesh's trust anchor, with what Git knows of it: enough to compare it with those of other meshes. */
export type AnchorFacts =
  /** Issued in the cluster, only for this cluster or for the clusters that share the anchor. */
  | { readonly from: 'cluster'; readonly name?: string | undefined; readonly members: readonly string[] }
  /** Given as PEM certificates. */
  | { readonly from: 'pem'; readonly certificates: readonly string[] }
  /** Somewhere in the cluster, unknown to the library. */
  | { readonly from: 'elsewhere' };

/** Returns what Git knows of a mesh's trust anchor. Call it when all constructs of its cluster exist. */
export function anchorFacts({ trustAnchor, trustRoots }: CertManagerPKI): AnchorFacts {
  if (isOwnAnchor(trustAnchor)) {
    const { cluster, members = [] } = trustAnchor.operator ?? {};
    return { from: 'cluster', name: cluster, members: [...members] };
  }
  if (trustRoots.from === 'pem') return { from: 'pem', certificates: trustRoots.parsed.anchors.map(({ pem }) => pem) };
  return { from: 'elsewhere' };
}

/**
 * - `shared`: proxies of each mesh trust certificates of the other mesh's anchor.
 * - `different`: they do not.
 * - `one-sided`: one of two meshes that should share anchors does not name the other.
 * - `unknown`: Git does not say.
 */
export type AnchorAgreement = 'shared' | 'different' | 'one-sided' | 'unknown';

/** Returns whether two meshes trust each other. */
export function compareAnchors(one: AnchorFacts, other: AnchorFacts): AnchorAgreement {
  if (one.from === 'cluster' && other.from === 'cluster') {
    const named = [isNamed(other.name, one.members), isNamed(one.name, other.members)];
    if (named.every(Boolean)) return 'shared';
    return named.some(Boolean) ? 'one-sided' : 'different';
  }
  if (one.from === 'elsewhere' || other.from === 'elsewhere') return 'unknown';
  if (one.from === 'pem' && other.from === 'pem') {
    return one.certificates.some((certificate) => other.certificates.includes(certificate)) ? 'shared' : 'different';
  }
  // A key that cert-manager creates in a cluster cannot be in an earlier text.
  return 'different';
}

function isNamed(name: string | undefined, members: readonly string[]): boolean {
  return name !== undefined && members.includes(name);
}
