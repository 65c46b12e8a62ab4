import type { ClusterReference } from '../../gitops/tree/cluster-reference';
import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../linkerd/warnings';
import { type AnchorFacts, compareAnchors } from '../pki/anchor-facts';
import type { MulticlusterFacts, TargetFacts } from './facts';
import { MULTICLUSTER_FINDINGS } from './findings';

/** The part of a link that is a matter of trust between both clusters. */
interface TrustingLink {
  readonly props: {
    readonly target: ClusterReference;
    readonly remoteDiscovery?: object | false;
    readonly federated?: object | false;
    readonly sharedTrustAnchor?: boolean;
  };
  /** The trust anchor of the link's own cluster. */
  readonly anchor: AnchorFacts;
}

/** The same, with what Git may not tell. */
type DoubtfulLink = TrustingLink & {
  readonly facts: TargetFacts;
  /** Those of the link's own cluster. */
  readonly domains: Pick<MulticlusterFacts, 'trustDomain' | 'clusterDomain'>;
};

/** Returns what may be wrong with a link that Git does not tell. */
export function linkWarnings({ props, facts, anchor, domains }: DoubtfulLink): readonly Warning[] {
  if (typeof facts === 'string') return [];
  const { name } = props.target;
  const isUnknown = compareAnchors(anchor, facts.anchor) === 'unknown' && props.sharedTrustAnchor !== true;
  return [
    ...(isUnknown ? [MULTICLUSTER_FINDINGS.linkAnchorsUnknown({ cluster: name })] : []),
    ...(facts.trustDomain === domains.trustDomain
      ? checkSharedDomain(props, facts, domains)
      : [
          MULTICLUSTER_FINDINGS.linkTrustDomainsDiffer({
            own: domains.trustDomain,
            cluster: name,
            other: facts.trustDomain,
          }),
        ]),
  ];
}

/** Reports trust anchors that do not agree, as far as Git tells them. */
export function checkAnchors(
  { anchor }: Pick<TrustingLink, 'anchor'>,
  name: string,
  facts: MulticlusterFacts,
): readonly Problem[] {
  const agreement = compareAnchors(anchor, facts.anchor);
  if (agreement === 'one-sided') return [MULTICLUSTER_FINDINGS.linkAnchorsDifferOneSided({ cluster: name })];
  return agreement === 'different' ? [MULTICLUSTER_FINDINGS.linkAnchorsDiffer({ cluster: name })] : [];
}

/** The trust domain that a cluster has where nobody chooses one is that of its names, which most clusters share. */
function checkSharedDomain(
  { target, remoteDiscovery, federated }: TrustingLink['props'],
  facts: MulticlusterFacts,
  own: DoubtfulLink['domains'],
): readonly Warning[] {
  const isChosen = [own, facts].some(({ trustDomain, clusterDomain }) => trustDomain !== clusterDomain);
  const reachesPods = remoteDiscovery !== false || federated !== false;
  if (isChosen || !reachesPods) return [];
  return [MULTICLUSTER_FINDINGS.linkTrustDomainUnchosen({ cluster: target.name, trustDomain: own.trustDomain })];
}
