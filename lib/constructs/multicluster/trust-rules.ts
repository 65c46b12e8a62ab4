import { violationOf } from '../../../operator/api/kubernetes/violation';
import type { ClusterReference } from '../../gitops/tree/cluster-reference';
import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../kubernetes/findings/warning';
import { type AnchorFacts, compareAnchors } from '../pki/anchor-facts';
import type { MulticlusterFacts, TargetFacts } from './facts';

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
    ...(isUnknown ? [unknownAnchors(name)] : []),
    ...(facts.trustDomain === domains.trustDomain
      ? checkSharedDomain(props, facts, domains)
      : [otherTrustDomain(name, domains.trustDomain, facts.trustDomain)]),
  ];
}

/** Reports trust anchors that do not agree, as far as Git tells them. */
export function checkAnchors(
  { anchor, props }: TrustingLink,
  name: string,
  facts: MulticlusterFacts,
): readonly Problem[] {
  const agreement = compareAnchors(anchor, facts.anchor);
  if (agreement === 'one-sided') return [oneSided(name)];
  return agreement === 'different' ? [otherAnchor(name, props.sharedTrustAnchor === true)] : [];
}

/** The trust domain that a cluster has where nobody chooses one is that of its names, which most clusters share. */
function checkSharedDomain(
  { target, remoteDiscovery, federated }: TrustingLink['props'],
  facts: MulticlusterFacts,
  own: DoubtfulLink['domains'],
): readonly Warning[] {
  const isChosen = [own, facts].some(({ trustDomain, clusterDomain }) => trustDomain !== clusterDomain);
  const reachesPods = remoteDiscovery !== false || federated !== false;
  return isChosen || !reachesPods ? [] : [unchosenTrustDomain(target.name, own.trustDomain)];
}

const REFUSED =
  'Neither side accepts a certificate that it has no root for: TLS fails, and gateways let nobody in without it';

function otherAnchor(name: string, isSaidToBeShared: boolean): Problem {
  return {
    code: 'link-anchors-differ',
    violates: violationOf('value', `trustAnchor of ${name}`),
    what: `This cluster and ${name} have different trust anchors${isSaidToBeShared ? ', whatever sharedTrustAnchor says' : ''}`,
    why: REFUSED,
    fix: "give both one root (TrustAnchor.fromPem with the same certificates), or have the operator rotate anchors that they share: trustAnchor: { rotation: 'operator', operator: { cluster, members } }, each naming the other",
  };
}

function oneSided(name: string): Problem {
  return {
    code: 'link-anchors-one-sided',
    violates: violationOf('value', `trustAnchor of ${name}`),
    what: `Of this cluster and ${name}, one names the other among the members of its trust anchor, and is not named by it`,
    why: 'The one that is not waited for loses its root at the next rotation. '.concat(REFUSED),
    fix: 'name each of the two in operator.members of the other, by its operator.cluster',
  };
}

function unknownAnchors(name: string): Warning {
  return {
    code: 'link-anchors-unknown',
    what: `Git does not tell whether this cluster and ${name} trust each other's anchors`,
    why: `They are in Secrets, or behind issuers. ${REFUSED}`,
    fix: 'make sure of it (`linkerd multicluster check` compares them), and say so: sharedTrustAnchor: true',
  };
}

function unchosenTrustDomain(name: string, trustDomain: string): Warning {
  return {
    code: 'link-trust-domain-unchosen',
    what: `This cluster and ${name} have the trust domain ${trustDomain}, which clusters have for which nobody chose one`,
    why: `Pods of ${name} that are reached directly take a ServiceAccount of this cluster for their own of the same namespace and name: their policies let in whoever may use it here`,
    fix: 'if that is meant, acknowledge it, or give both one trustDomain of their own before they run; if not, give them different ones, or have the Link mirror no pods directly: remoteDiscovery: false, federated: false',
  };
}

function otherTrustDomain(name: string, own: string, other: string): Warning {
  return {
    code: 'link-trust-domains-differ',
    what: `The trust domain of this cluster is ${own}, and that of ${name} ${other}`,
    why: 'Policies that name ServiceAccounts mean those of their own trust domain: they refuse clients of the other cluster, or let nobody in',
    fix: 'give both one trustDomain, or name clients from other clusters by their identities',
  };
}
