import type { CertManagerPKI } from './cert-manager-pki';
import { isOwnAnchor } from './trust-anchor';

/** A mesh's trust anchor, as far as Git tells it from those of other meshes. */
export type AnchorFacts =
  /** Made in the cluster, for it alone or for those that it shares anchors with. */
  | { readonly from: 'cluster'; readonly name?: string | undefined; readonly members: readonly string[] }
  /** Given as text: the certificates in PEM. */
  | { readonly from: 'pem'; readonly certificates: readonly string[] }
  /** Somewhere in the cluster, where nobody here sees it. */
  | { readonly from: 'elsewhere' };

/** Returns what Git tells of a mesh's trust anchor. To be asked when all constructs of its cluster are there. */
export function anchorFacts({ trustAnchor, trustRoots }: CertManagerPKI): AnchorFacts {
  if (isOwnAnchor(trustAnchor)) {
    const { cluster, members = [] } = trustAnchor.operator ?? {};
    return { from: 'cluster', name: cluster, members: [...members] };
  }
  if (trustRoots.from === 'pem') return { from: 'pem', certificates: trustRoots.parsed.anchors.map(({ pem }) => pem) };
  return { from: 'elsewhere' };
}

/**
 * - `shared`: proxies of both meshes trust what the anchor of the other has signed.
 * - `different`: they do not.
 * - `one-sided`: one of two that are to share anchors does not know of it.
 * - `unknown`: Git does not tell.
 */
export type AnchorAgreement = 'shared' | 'different' | 'one-sided' | 'unknown';

/** Tells whether two meshes trust each other. */
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
  // A key that cert-manager makes in a cluster is in no text that was there before.
  return 'different';
}

function isNamed(name: string | undefined, members: readonly string[]): boolean {
  return name !== undefined && members.includes(name);
}
