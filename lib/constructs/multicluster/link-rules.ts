import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { checkPort } from '#kubernetes/names';
import { checkGoDuration } from '#kubernetes/options/duration-like';
import { checkLinkName } from '#linkerd/renderers/linkerd-multicluster/render-rules';
import type { Warning } from '../../checks/warnings';
import { Cluster } from '../../gitops/tree/cluster';
import { type ClusterReference, isClusterReference } from '../../gitops/tree/cluster-reference';
import { type AnchorFacts, certificationFlaw, compareAnchors } from '../pki/anchor-facts';
import { checkLeftKeys, type GatewayFacts, type MulticlusterFacts, type TargetFacts } from './facts';
import { MULTICLUSTER_FINDINGS } from './findings';
import { checkGatewayAddress, type LinkGateway } from './gateway';

interface CheckedProps {
  readonly target: ClusterReference;
  readonly exported?: object | false;
  readonly remoteDiscovery?: object | false;
  readonly federated?: object | false;
  readonly excludedLabels?: readonly string[];
  readonly excludedAnnotations?: readonly string[];
  readonly sharedTrustAnchor?: boolean;
}

interface CheckedLink {
  readonly props: CheckedProps;
  readonly gateway: LinkGateway | false | undefined;
  /** Whether the target is a cluster whose name is valid as the name of a Link. */
  readonly isPossible: boolean;
  readonly isFirst: boolean;
  /** Name of this cluster; absent in a plain cdk8s chart. */
  readonly cluster: string | undefined;
  readonly isOfThisCluster: boolean;
  readonly facts: TargetFacts;
  readonly anchor: AnchorFacts;
}

/** Reports problems that keep a link from working. */
export function checkLink(link: CheckedLink): readonly Problem[] {
  const { props, isPossible, isFirst, cluster, facts } = link;
  const own = [
    ...(link.isOfThisCluster ? [] : [MULTICLUSTER_FINDINGS.linkTargetRefusedOtherCluster()]),
    ...checkProps(link),
  ];
  const { target } = props;
  if (!isClusterReference(target)) return [...own, noReference(target, cluster)];
  if (!isPossible) return [...own, ...checkLinkName('target.name', target.name)];
  if (target.name === cluster) return [...own, MULTICLUSTER_FINDINGS.linkTargetRefusedItself({ cluster: target.name })];
  const again = isFirst ? [] : [MULTICLUSTER_FINDINGS.linkTargetRefusedRepeated({ cluster: target.name })];
  return [...own, ...again, ...checkTarget(link, target.name, facts)];
}

function checkProps({ props, gateway }: CheckedLink): readonly Problem[] {
  const { excludedLabels = [], excludedAnnotations = [] } = props;
  return [
    ...(gateway ? checkLinkGateway(gateway) : []),
    ...checkLeftKeys('excludedLabels', excludedLabels),
    ...checkLeftKeys('excludedAnnotations', excludedAnnotations),
  ];
}

function checkLinkGateway({ addresses = [], ports, failureThreshold, probeTimeout }: LinkGateway): readonly Problem[] {
  return [
    ...addresses.flatMap((address, index) => checkGatewayAddress(`gateway.addresses[${index}]`, address)),
    ...(ports === undefined
      ? []
      : [...checkPort('gateway.ports.gateway', ports.gateway), ...checkPort('gateway.ports.probe', ports.probe)]),
    ...(failureThreshold === undefined || (Number.isInteger(failureThreshold) && failureThreshold > 0)
      ? []
      : [MULTICLUSTER_FINDINGS.gatewaySettingRefusedFailureThreshold({ threshold: shownValue(failureThreshold) })]),
    ...(probeTimeout === undefined ? [] : checkGoDuration('gateway.probeTimeout', probeTimeout)),
  ];
}

function checkTarget(link: CheckedLink, name: string, facts: TargetFacts): readonly Problem[] {
  if (facts === 'unbuilt') return [MULTICLUSTER_FINDINGS.linkTargetIncompleteUnbuilt({ cluster: name })];
  if (facts === 'none') {
    return [MULTICLUSTER_FINDINGS.linkTargetIncompleteMulticluster({ cluster: name })];
  }
  return [
    ...(facts.hasRemoteAccount ? [] : [MULTICLUSTER_FINDINGS.linkTargetIncompleteAccount({ cluster: name })]),
    ...checkTargetGateway(link, name, facts),
    ...checkModes(link, name, facts),
    ...checkAnchors(link, name, facts),
  ];
}

function checkTargetGateway({ gateway }: CheckedLink, name: string, facts: MulticlusterFacts): readonly Problem[] {
  if (gateway === false) return [];
  if (facts.gateway === undefined)
    return gateway === undefined ? [] : [MULTICLUSTER_FINDINGS.linkTargetIncompleteGateway({ cluster: name })];
  return [...checkAddresses(gateway, name, facts.gateway), ...checkGatewayPorts(gateway, name, facts.gateway)];
}

function checkAddresses(gateway: LinkGateway | undefined, name: string, facts: GatewayFacts): readonly Problem[] {
  const addresses = gateway?.addresses ?? facts.addresses;
  if (addresses.length > 0) return [];
  return [MULTICLUSTER_FINDINGS.linkTargetIncompleteGatewayAddress({ cluster: name })];
}

function checkGatewayPorts(gateway: LinkGateway | undefined, name: string, facts: GatewayFacts): readonly Problem[] {
  const ports = [gateway?.ports?.gateway ?? facts.port, gateway?.ports?.probe ?? facts.probe.port];
  if (ports.every((port) => port !== undefined)) return [];
  return [MULTICLUSTER_FINDINGS.linkTargetIncompleteGatewayPort({ cluster: name })];
}

function checkModes({ props, gateway }: CheckedLink, name: string, facts: MulticlusterFacts): readonly Problem[] {
  const byGateway = gateway !== false && facts.gateway !== undefined && props.exported !== false;
  if (byGateway || props.remoteDiscovery !== false || props.federated !== false) return [];
  return [MULTICLUSTER_FINDINGS.linkMirrorsNothing({ cluster: name })];
}

/** Props with which JavaScript may pass credentials, which must not be in Git. */
const CREDENTIAL_PROPS = ['kubeconfig', 'kubeConfig', 'credentials', 'credentialsSecret', 'token'];

/** Reports credentials of the other cluster among the props. */
export function checkGivenCredentials(props: object | undefined): readonly Problem[] {
  return CREDENTIAL_PROPS.filter((key) => Object.hasOwn(props ?? {}, key)).map((prop) =>
    MULTICLUSTER_FINDINGS.linkCredentialsGiven({ prop }),
  );
}

/** Returns the props without credentials, which are reported separately. */
export function withoutCredentials<Props extends object>(props: Props): Props {
  if (checkGivenCredentials(props).length === 0) return props;
  return Object.fromEntries(Object.entries(props).filter(([key]) => !CREDENTIAL_PROPS.includes(key))) as Props;
}

function noReference(target: unknown, cluster: string | undefined): Problem {
  const given = Construct.isConstruct(target) ? Cluster.find(target)?.name : undefined;
  if (given !== undefined && given === cluster)
    return MULTICLUSTER_FINDINGS.linkTargetRefusedItself({ cluster: given });
  const shown = given === undefined ? shownValue(target) : `a construct of the cluster ${given}`;
  return MULTICLUSTER_FINDINGS.linkTargetRefusedUnknown({ target: shown });
}

interface TrustingLink {
  readonly props: {
    readonly target: ClusterReference;
    readonly remoteDiscovery?: object | false;
    readonly federated?: object | false;
    readonly sharedTrustAnchor?: boolean;
  };
  readonly anchor: AnchorFacts;
}

type DoubtfulLink = TrustingLink & {
  readonly facts: TargetFacts;
  /** The domains of the link's own cluster. */
  readonly domains: Pick<MulticlusterFacts, 'trustDomain' | 'clusterDomain'>;
};

/** Returns warnings about the trust anchors and trust domains of a link's clusters. */
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

/** Reports differences between the trust anchors that synth can read. */
function checkAnchors(
  { anchor }: Pick<TrustingLink, 'anchor'>,
  name: string,
  facts: MulticlusterFacts,
): readonly Problem[] {
  const agreement = compareAnchors(anchor, facts.anchor);
  if (agreement === 'one-sided') return [MULTICLUSTER_FINDINGS.linkAnchorsDifferOneSided({ cluster: name })];
  if (agreement === 'different') return [MULTICLUSTER_FINDINGS.linkAnchorsDiffer({ cluster: name })];
  const flaw = certificationFlaw(anchor, facts.anchor);
  return flaw === undefined ? [] : [CERTIFICATION_FLAWS[flaw]({ cluster: name })];
}

const CERTIFICATION_FLAWS = {
  'not-offered': MULTICLUSTER_FINDINGS.linkCertificationDiffersNotOffered,
  'not-asked': MULTICLUSTER_FINDINGS.linkCertificationDiffersNotAsked,
  circle: MULTICLUSTER_FINDINGS.linkCertificationDiffersCircle,
  unconstrained: MULTICLUSTER_FINDINGS.linkCertificationDiffersUnconstrained,
} as const;

/** By default the trust domain is the cluster domain, which most clusters share. */
function checkSharedDomain(
  { target, remoteDiscovery, federated }: TrustingLink['props'],
  facts: MulticlusterFacts,
  own: DoubtfulLink['domains'],
): readonly Warning[] {
  const isChosen = [own, facts].some(({ trustDomain, clusterDomain }) => trustDomain !== clusterDomain);
  const reachesPods = remoteDiscovery !== false || federated !== false;
  if (isChosen || !reachesPods) return [];
  return [MULTICLUSTER_FINDINGS.linkTrustDomainDefault({ cluster: target.name, trustDomain: own.trustDomain })];
}
