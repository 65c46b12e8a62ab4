import { Construct } from 'constructs';
import { shownValue, violationOf } from '../../../operator/api/kubernetes/violation';
import { Cluster } from '../../gitops/tree/cluster';
import { type ClusterReference, isClusterReference } from '../../gitops/tree/cluster-reference';
import type { Problem } from '../../kubernetes/findings/problem';
import { checkGoDuration } from '../../kubernetes/go-duration';
import { checkPort } from '../../kubernetes/names';
import { checkLinkName } from '../../linkerd/charts/linkerd-multicluster/render-rules';
import type { AnchorFacts } from '../pki/anchor-facts';
import type { GatewayFacts, MulticlusterFacts, TargetFacts } from './facts';
import { checkGatewayAddress, type LinkGateway } from './gateway';
import { checkLeftKeys } from './left-behind';
import { checkAnchors } from './trust-rules';

/** The props of a link that rules look at. */
interface CheckedProps {
  readonly target: ClusterReference;
  readonly exported?: object | false;
  readonly remoteDiscovery?: object | false;
  readonly federated?: object | false;
  readonly excludedLabels?: readonly string[];
  readonly excludedAnnotations?: readonly string[];
  readonly sharedTrustAnchor?: boolean;
}

/** A link, and what is known of both of its clusters. */
export interface CheckedLink {
  readonly props: CheckedProps;
  readonly gateway: LinkGateway | false | undefined;
  /** Tells whether a Link of its name can be written. */
  readonly isPossible: boolean;
  /** Tells whether it is the first one to its target. */
  readonly isFirst: boolean;
  /** Name of its cluster; absent in a plain cdk8s chart. */
  readonly cluster: string | undefined;
  /** Tells whether its extension is of the same cluster. */
  readonly isOfThisCluster: boolean;
  readonly facts: TargetFacts;
  /** The trust anchor of its own cluster. */
  readonly anchor: AnchorFacts;
}

/** Reports why a link could not work. */
export function checkLink(link: CheckedLink): readonly Problem[] {
  const { props, isPossible, isFirst, cluster, facts } = link;
  const own = [...(link.isOfThisCluster ? [] : [ELSEWHERE]), ...checkProps(link)];
  const { target } = props;
  if (!isClusterReference(target)) return [...own, noReference(target, cluster)];
  if (!isPossible) return [...own, ...checkLinkName('target.name', target.name)];
  if (target.name === cluster) return [...own, toItself(target.name)];
  return [...own, ...(isFirst ? [] : [twice(target.name)]), ...checkTarget(link, target.name, facts)];
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
      : [oddThreshold(failureThreshold)]),
    ...(probeTimeout === undefined ? [] : checkGoDuration('gateway.probeTimeout', probeTimeout)),
  ];
}

function checkTarget(link: CheckedLink, name: string, facts: TargetFacts): readonly Problem[] {
  if (facts === 'unbuilt') return [unbuilt(name)];
  if (facts === 'none') return [withoutMulticluster(name)];
  return [
    ...(facts.hasRemoteAccount ? [] : [withoutAccount(name)]),
    ...checkTargetGateway(link, name, facts),
    ...checkModes(link, name, facts),
    ...checkAnchors(link, name, facts),
  ];
}

function checkTargetGateway({ gateway }: CheckedLink, name: string, facts: MulticlusterFacts): readonly Problem[] {
  if (gateway === false) return [];
  if (facts.gateway === undefined) return gateway === undefined ? [] : [withoutGateway(name)];
  return [...checkAddresses(gateway, name, facts.gateway), ...checkGatewayPorts(gateway, name, facts.gateway)];
}

function checkAddresses(gateway: LinkGateway | undefined, name: string, facts: GatewayFacts): readonly Problem[] {
  const addresses = gateway?.addresses ?? facts.addresses;
  return addresses.length > 0 ? [] : [withoutAddress(name)];
}

function checkGatewayPorts(gateway: LinkGateway | undefined, name: string, facts: GatewayFacts): readonly Problem[] {
  const ports = [gateway?.ports?.gateway ?? facts.port, gateway?.ports?.probe ?? facts.probe.port];
  return ports.every((port) => port !== undefined) ? [] : [unknownPort(name)];
}

function checkModes({ props, gateway }: CheckedLink, name: string, facts: MulticlusterFacts): readonly Problem[] {
  const byGateway = gateway !== false && facts.gateway !== undefined && props.exported !== false;
  return byGateway || props.remoteDiscovery !== false || props.federated !== false ? [] : [nothing(name)];
}

/** Props that code without types may have, and by which people hand in what must not stand in Git. */
const CREDENTIAL_PROPS = ['kubeconfig', 'kubeConfig', 'credentials', 'credentialsSecret', 'token'];

/** Reports credentials of the other cluster among the props. */
export function checkGivenCredentials(props: object | undefined): readonly Problem[] {
  return CREDENTIAL_PROPS.filter((key) => Object.hasOwn(props ?? {}, key)).map((key) => ({
    code: 'link-credentials-given',
    violates: violationOf('secret', key),
    what: `The Link is given ${key}`,
    why: 'Whoever reads the repository could read the other cluster with it; and the service mirror may read the Secret cluster-credentials-<cluster> only',
    fix: `remove ${key}, and have something bring that Secret into the cluster: an ExternalSecret with what Link.credentials says, or \`linkerd multicluster link-gen\` by hand`,
  }));
}

/** The props without credentials, which are reported by themselves. */
export function withoutCredentials<Props extends object>(props: Props): Props {
  if (checkGivenCredentials(props).length === 0) return props;
  return Object.fromEntries(Object.entries(props).filter(([key]) => !CREDENTIAL_PROPS.includes(key))) as Props;
}

const ELSEWHERE: Problem = {
  code: 'link-elsewhere',
  what: 'The Multicluster of the Link is of another cluster',
  why: 'The Link would be where no service mirror looks for it',
  fix: 'give it the Multicluster of the cluster in which it is',
};

function noReference(target: unknown, cluster: string | undefined): Problem {
  const given = Construct.isConstruct(target) ? Cluster.find(target)?.name : undefined;
  if (given !== undefined && given === cluster) return toItself(given);
  return {
    code: 'link-target-unknown',
    violates: violationOf('form', target),
    what:
      given === undefined
        ? `target is ${shownValue(target)}, which is no cluster of the platform`
        : `target is a construct of the cluster ${given}, and no reference to it`,
    why: 'All that the Link says of the other cluster is found there: its domain, its gateway and its trust anchor',
    fix: "give what Platform.addCluster returned for it: platform.cluster('NAME') finds that",
  };
}

function toItself(name: string): Problem {
  return {
    code: 'link-to-itself',
    what: `The cluster ${name} is linked to itself`,
    why: 'All exported services would have mirrors beside them, and those again',
    fix: 'remove the Link; services of a cluster are there without one',
  };
}

function twice(name: string): Problem {
  return {
    code: 'link-twice',
    violates: violationOf('value', `controllers.${name}`),
    what: `The cluster is linked to ${name} more than once`,
    why: 'Links, and their service mirrors, have the name of the other cluster: whichever is applied last takes the place of the other',
    fix: 'keep one of them; it can mirror services in all ways at once',
  };
}

function unbuilt(name: string): Problem {
  return {
    code: 'link-target-unbuilt',
    what: `Nothing is known of ${name}, whose constructs cannot be built`,
    why: 'All that the Link says of the other cluster is found there',
    fix: `correct the function that builds ${name}; what is wrong with it is reported there, or by a synthesis of ${name} alone`,
  };
}

function withoutMulticluster(name: string): Problem {
  return {
    code: 'link-target-without-multicluster',
    violates: violationOf('reference', `Multicluster ${name}`),
    what: `The cluster ${name} has no Multicluster`,
    why: 'It has neither a gateway nor an account by which a service mirror could read its services',
    fix: `add new Multicluster(${name}, …) to it`,
  };
}

function withoutAccount(name: string): Problem {
  return {
    code: 'link-target-without-account',
    what: `The Multicluster of ${name} has remoteAccounts: false`,
    why: 'No other cluster has an account there: nobody could make a kubeconfig for the service mirror',
    fix: `leave remoteAccounts of ${name} out, or name an account for this cluster`,
  };
}

function withoutGateway(name: string): Problem {
  return {
    code: 'link-target-without-gateway',
    what: `The Link has a gateway, and the Multicluster of ${name} has none`,
    why: 'Mirrors would lead to an address at which nobody answers',
    fix: `give ${name} a gateway, or leave that of the Link out`,
  };
}

function withoutAddress(name: string): Problem {
  return {
    code: 'link-gateway-address-missing',
    violates: violationOf('value', `gateway.addresses of ${name}`),
    what: `Nobody says at which address the gateway of ${name} is`,
    why: 'The Link has to say it: load balancers get theirs in the cluster, and Git does not know it',
    fix: `set gateway.addresses of the Multicluster of ${name} (for all links to it), or of the Link; a DNS name that something keeps up to date is best`,
  };
}

function unknownPort(name: string): Problem {
  return {
    code: 'link-gateway-port-unknown',
    violates: violationOf('value', `gateway.nodePorts of ${name}`),
    what: `The gateway of ${name} is a NodePort whose ports Kubernetes chooses`,
    why: 'The Link has to say them, and Git does not know them',
    fix: `set gateway.nodePorts of the Multicluster of ${name}, or gateway.ports of the Link`,
  };
}

function nothing(name: string): Problem {
  return {
    code: 'link-mirrors-nothing',
    what: `The Link to ${name} mirrors no services: exported, remoteDiscovery and federated are false, or need a gateway that there is not`,
    why: 'A service mirror would run for nothing',
    fix: 'leave one of them out, or remove the Link',
  };
}

function oddThreshold(threshold: unknown): Problem {
  return {
    code: 'probe-threshold-odd',
    violates: violationOf('value', 'gateway.failureThreshold'),
    what: `gateway.failureThreshold is ${shownValue(threshold)}`,
    why: 'The service mirror counts failed probes, and stops to probe where it cannot read the number',
    fix: 'write a whole number of 1 or more',
  };
}
