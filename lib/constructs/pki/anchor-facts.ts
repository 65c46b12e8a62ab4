import type { CertManagerPKI } from './cert-manager-pki';
import type { CertifiedMember } from './operator-rotation';
import { isOwnAnchor } from './trust-anchor';

interface ClusterAnchor {
  readonly from: 'cluster';
  readonly name?: string | undefined;
  readonly members: readonly string[];
  readonly certifiedBy?: string | undefined;
  readonly constrainedTo?: string | undefined;
  readonly certifies?: readonly CertifiedMember[];
}

/** A mesh's trust anchor as far as Git shows it: enough to compare it with the anchors of other meshes. */
export type AnchorFacts =
  /** Issued in the cluster, only for this cluster or for the clusters that share the anchor. */
  | ClusterAnchor
  /** Given as PEM certificates. */
  | { readonly from: 'pem'; readonly certificates: readonly string[] }
  /** Created by other tools: in a Secret, or behind an issuer. */
  | { readonly from: 'elsewhere' };

/** Returns the facts about a mesh's trust anchor in Git. Call it when all constructs of its cluster exist. */
export function anchorFacts({ trustAnchor, trustRoots, trustDomain }: CertManagerPKI): AnchorFacts {
  if (isOwnAnchor(trustAnchor)) {
    const { cluster, members = [], bridge, certifies = [] } = trustAnchor.operator ?? {};
    return {
      from: 'cluster',
      name: cluster,
      members: [...members],
      ...(bridge?.member !== undefined && { certifiedBy: bridge.member }),
      ...(bridge?.constrained && { constrainedTo: trustDomain }),
      ...(certifies.length > 0 && { certifies: certifies.map((one) => ({ ...one })) }),
    };
  }
  if (trustRoots.from === 'pem') return { from: 'pem', certificates: trustRoots.parsed.anchors.map(({ pem }) => pem) };
  return { from: 'elsewhere' };
}

/** Whether clusters report to each other on an anchor that they share. */
export function isShared(anchor: AnchorFacts): boolean {
  return anchor.from === 'cluster' && anchor.name !== undefined && anchor.members.length > 0;
}

/**
 * - `shared`: proxies of each mesh trust certificates of the other mesh's anchor.
 * - `different`: they do not.
 * - `one-sided`: one of two meshes that should share anchors does not name the other.
 * - `unknown`: Git does not show it.
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
  // cert-manager creates the anchor in the cluster, so it cannot be among certificates in Git.
  return 'different';
}

function isNamed(name: string | undefined, members: readonly string[]): boolean {
  return name !== undefined && members.includes(name);
}

/**
 * A mismatch between two clusters where one certifies the anchors of the other:
 *
 * - `not-offered`: one requests certificates from the other, which does not certify it.
 * - `not-asked`: one certifies the other, which requests certificates from another cluster, or from none.
 * - `circle`: each requests certificates from the other.
 * - `unconstrained`: the requests lack the constraint that the certifying cluster requires.
 */
export type CertificationFlaw = 'not-offered' | 'not-asked' | 'circle' | 'unconstrained';

/** Returns the mismatch between two clusters, if any. */
export function certificationFlaw(one: AnchorFacts, other: AnchorFacts): CertificationFlaw | undefined {
  if (one.from !== 'cluster' || other.from !== 'cluster') return undefined;
  if (asks(one, other) && asks(other, one)) return 'circle';
  return flawOf(one, other) ?? flawOf(other, one);
}

function asks({ certifiedBy }: ClusterAnchor, { name }: ClusterAnchor): boolean {
  return certifiedBy !== undefined && certifiedBy === name;
}

function flawOf(asking: ClusterAnchor, certifying: ClusterAnchor): CertificationFlaw | undefined {
  const named = certifying.certifies?.find(({ cluster }) => cluster === asking.name);
  if (!asks(asking, certifying)) return named === undefined ? undefined : 'not-asked';
  if (named === undefined) return 'not-offered';
  return named.trustDomain === undefined || named.trustDomain === asking.constrainedTo ? undefined : 'unconstrained';
}
