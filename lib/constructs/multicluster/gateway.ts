import type { Duration } from 'cdk8s';
import type { Problem } from '../../kubernetes/findings/problem';
import { checkGoDuration } from '../../kubernetes/go-duration';
import { FREE, keysOf } from '../../kubernetes/known-keys';
import { checkDnsSubdomain, checkPort, isIpV4 } from '../../kubernetes/names';
import type { Values } from '../../kubernetes/values';
import { MULTICLUSTER_FINDINGS } from './findings';

/** The gateway of a cluster, by which others reach its mesh. */
export interface GatewayProps {
  /**
   * Addresses at which other clusters reach the gateway: DNS names, which their service mirrors resolve again and again,
   * or IP addresses. Links to this cluster take them from here; what a load balancer will be given is not known in Git.
   *
   * @default - each Link has to say them
   */
  readonly addresses?: readonly string[];

  /**
   * Type of its Service. With `ClusterIP` something else has to lead to it from outside.
   *
   * @default 'LoadBalancer'
   */
  readonly serviceType?: 'LoadBalancer' | 'NodePort' | 'ClusterIP';

  /**
   * Ports of the nodes, for `LoadBalancer` and `NodePort`. Links to a `NodePort` need both.
   *
   * @default - Kubernetes chooses them
   */
  readonly nodePorts?: { readonly gateway: number; readonly probe: number };

  /**
   * Annotations of its Service, by which clouds choose what kind of load balancer it is.
   *
   * @default - none
   */
  readonly annotations?: Readonly<Record<string, string>>;

  /**
   * Networks from which the load balancer takes connections, as CIDRs.
   *
   * @default - all; only meshed clients get further than the gateway's TLS
   */
  readonly sourceRanges?: readonly string[];

  /**
   * Number of its pods.
   *
   * @default - 1; with high availability 3
   */
  readonly replicas?: number;

  /**
   * Time between two probes by which each linked cluster finds out whether the gateway is alive; whole seconds.
   *
   * @default Duration.seconds(3)
   */
  readonly probePeriod?: Duration;
}

/** The way to the other cluster's gateway, where it is not what that cluster says itself. */
export interface LinkGateway {
  /**
   * Addresses at which this cluster reaches the gateway: DNS names or IP addresses.
   *
   * @default - those that the other cluster's Multicluster says
   */
  readonly addresses?: readonly string[];

  /**
   * Ports of the gateway and of its probe at these addresses.
   *
   * @default - those of its Service; of a NodePort, those of the nodes
   */
  readonly ports?: { readonly gateway: number; readonly probe: number };

  /**
   * Number of probes in a row after whose failure the gateway counts as dead.
   *
   * @default 3
   */
  readonly failureThreshold?: number;

  /**
   * Time after which an answer to a probe is late.
   *
   * @default Duration.seconds(30)
   */
  readonly probeTimeout?: Duration;
}

const PORTS = keysOf<{ readonly gateway: number; readonly probe: number }>({ gateway: true, probe: true });

/** The keys of GatewayProps. */
export const GATEWAY_PROPS = keysOf<GatewayProps>({
  addresses: true,
  serviceType: true,
  nodePorts: PORTS,
  annotations: FREE,
  sourceRanges: true,
  replicas: true,
  probePeriod: FREE,
});

/** The keys of LinkGateway. */
export const LINK_GATEWAY = keysOf<LinkGateway>({
  addresses: true,
  ports: PORTS,
  failureThreshold: true,
  probeTimeout: FREE,
});

/** The values of the chart that follow from the props of a gateway. */
export function gatewayValues(gateway: GatewayProps | false): Values {
  if (gateway === false) return { gateway: { enabled: false } };
  const { serviceType, nodePorts, annotations, sourceRanges, replicas, probePeriod } = gateway;
  // Two that are equal are reported once, and not with each object that they would be in.
  const ports = nodePorts?.gateway === nodePorts?.probe ? undefined : nodePorts;
  return {
    gateway: {
      enabled: true,
      serviceType,
      nodePort: ports?.gateway,
      serviceAnnotations: annotations,
      loadBalancerSourceRanges: sourceRanges,
      replicas,
      probe: { nodePort: ports?.probe, seconds: probePeriod && secondsOf(probePeriod) },
    },
  };
}

/** Whole seconds of a duration; undefined where it has none, which is reported. */
function secondsOf(period: Duration): number | undefined {
  if (checkGoDuration('gateway.probePeriod', period).length > 0) return undefined;
  const seconds = period.toSeconds({ integral: false });
  return Number.isInteger(seconds) && seconds > 0 ? seconds : undefined;
}

/** Reports what of a gateway's props cannot work. */
export function checkGateway(gateway: GatewayProps): readonly Problem[] {
  const { addresses = [], nodePorts, serviceType = 'LoadBalancer', probePeriod } = gateway;
  return [
    ...addresses.flatMap((address, index) => checkGatewayAddress(`gateway.addresses[${index}]`, address)),
    ...(nodePorts === undefined ? [] : checkNodePorts(nodePorts, serviceType)),
    ...(probePeriod === undefined ? [] : checkPeriod(probePeriod)),
  ];
}

/** Checks an address that a service mirror is to resolve: without a scheme, and without a port. */
export function checkGatewayAddress(field: string, address: string): readonly Problem[] {
  if (isIpV4(address) || isIpV6(address)) return [];
  const [scheme] = typeof address === 'string' ? (/^[a-z][a-z0-9+.-]*:\/\//i.exec(address) ?? []) : [];
  const problems = checkDnsSubdomain(field, address);
  return scheme === undefined
    ? problems
    : problems.map((problem) => ({ ...problem, fix: `leave out ${scheme}, and a port or a path` }));
}

/** Tells whether a text may be an address of IP version 6: no DNS name has two colons. */
function isIpV6(address: unknown): boolean {
  return typeof address === 'string' && /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(address);
}

function checkNodePorts(
  { gateway, probe }: NonNullable<GatewayProps['nodePorts']>,
  serviceType: string,
): readonly Problem[] {
  return [
    ...checkPort('gateway.nodePorts.gateway', gateway),
    ...checkPort('gateway.nodePorts.probe', probe),
    ...(gateway === probe ? [MULTICLUSTER_FINDINGS.gatewaySettingRefusedNodePortsEqual({ port: gateway })] : []),
    ...(serviceType === 'ClusterIP' ? [MULTICLUSTER_FINDINGS.gatewaySettingRefusedNodePortsUnused()] : []),
  ];
}

function checkPeriod(period: Duration): readonly Problem[] {
  const problems = checkGoDuration('gateway.probePeriod', period);
  if (problems.length > 0 || secondsOf(period) !== undefined) return problems;
  return [MULTICLUSTER_FINDINGS.gatewaySettingRefusedProbePeriod({ seconds: period.toSeconds({ integral: false }) })];
}
