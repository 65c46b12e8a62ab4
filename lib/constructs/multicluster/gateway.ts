import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { checkDnsSubdomain, checkPort, isIpV4 } from '#kubernetes/names';
import { checkGoDuration, type DurationLike, milliseconds } from '#kubernetes/options/duration-like';
import { DURATION, FREE, keysOf, LIST, NUMBER } from '#kubernetes/options/known-keys';
import { MULTICLUSTER_FINDINGS } from './findings';

/** The gateway through which other clusters reach this mesh. */
export interface GatewayProps {
  /**
   * Addresses at which other clusters reach the gateway: DNS names, which their service mirrors keep resolving, or IP
   * addresses. Links to this cluster use them, because Git does not know the address that a load balancer gets.
   *
   * @default - each Link must set them
   */
  readonly addresses?: readonly string[];

  /**
   * Type of its Service. `ClusterIP` needs another entry point for clients outside the cluster.
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
   * Annotations of its Service, which select the kind of load balancer in clouds.
   *
   * @default - none
   */
  readonly annotations?: Readonly<Record<string, string>>;

  /**
   * Networks from which the load balancer accepts connections, as CIDRs.
   *
   * @default - all; the gateway accepts only meshed clients, by TLS
   */
  readonly sourceRanges?: readonly string[];

  /**
   * Number of its pods.
   *
   * @default - 1; with high availability 3
   */
  readonly replicas?: number;

  /**
   * Time between two probes of the gateway by each linked cluster; whole seconds.
   *
   * @default Duration.seconds(3)
   */
  readonly probePeriod?: DurationLike;
}

/** How to reach the gateway of the other cluster. These settings override those of its Multicluster. */
export interface LinkGateway {
  /**
   * Addresses at which this cluster reaches the gateway: DNS names or IP addresses.
   *
   * @default - those of the other cluster's Multicluster
   */
  readonly addresses?: readonly string[];

  /**
   * Ports of the gateway and of its probe at these addresses.
   *
   * @default - those of its Service; of a NodePort, those of the nodes
   */
  readonly ports?: { readonly gateway: number; readonly probe: number };

  /**
   * Number of consecutive failed probes after which the gateway counts as dead.
   *
   * @default 3
   */
  readonly failureThreshold?: number;

  /**
   * Time after which a probe fails without an answer.
   *
   * @default Duration.seconds(30)
   */
  readonly probeTimeout?: DurationLike;
}

const PORTS = keysOf<{ readonly gateway: number; readonly probe: number }>({ gateway: NUMBER, probe: NUMBER });

/** The keys of GatewayProps. */
export const GATEWAY_PROPS = keysOf<GatewayProps>({
  addresses: LIST,
  serviceType: true,
  nodePorts: PORTS,
  annotations: FREE,
  sourceRanges: LIST,
  replicas: NUMBER,
  probePeriod: DURATION,
});

/** The keys of LinkGateway. */
export const LINK_GATEWAY = keysOf<LinkGateway>({
  addresses: LIST,
  ports: PORTS,
  failureThreshold: NUMBER,
  probeTimeout: DURATION,
});

/** Returns the values of the chart for the props of a gateway. */
export function gatewayValues(gateway: GatewayProps | false): Values {
  if (gateway === false) return { gateway: { enabled: false } };
  const { serviceType, nodePorts, annotations, sourceRanges, replicas, probePeriod } = gateway;
  // Equal ports are left out, so that one rule reports them, and not one for each object.
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

/** Undefined for a period that is not in whole seconds, which `checkPeriod` reports. */
function secondsOf(period: DurationLike): number | undefined {
  if (checkGoDuration('gateway.probePeriod', period).length > 0) return undefined;
  const seconds = milliseconds(period) / 1000;
  return Number.isInteger(seconds) && seconds > 0 ? seconds : undefined;
}

/** Reports props of a gateway that cannot work. */
export function checkGateway(gateway: GatewayProps): readonly Problem[] {
  const { addresses = [], nodePorts, serviceType = 'LoadBalancer', probePeriod } = gateway;
  return [
    ...addresses.flatMap((address, index) => checkGatewayAddress(`gateway.addresses[${index}]`, address)),
    ...(nodePorts === undefined ? [] : checkNodePorts(nodePorts, serviceType)),
    ...(probePeriod === undefined ? [] : checkPeriod(probePeriod)),
  ];
}

/** Checks an address that a service mirror resolves: without a scheme, and without a port. */
export function checkGatewayAddress(field: string, address: string): readonly Problem[] {
  if (isIpV4(address) || isIpV6(address)) return [];
  const [scheme] = typeof address === 'string' ? (/^[a-z][a-z0-9+.-]*:\/\//i.exec(address) ?? []) : [];
  const problems = checkDnsSubdomain(field, address);
  return scheme === undefined
    ? problems
    : problems.map((problem) => ({ ...problem, fix: `leave out ${scheme}, and a port or a path` }));
}

/** An IPv6 address has at least two colons, and no DNS name does. */
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

function checkPeriod(period: DurationLike): readonly Problem[] {
  const problems = checkGoDuration('gateway.probePeriod', period);
  if (problems.length > 0 || secondsOf(period) !== undefined) return problems;
  return [MULTICLUSTER_FINDINGS.gatewaySettingRefusedProbePeriod({ seconds: milliseconds(period) / 1000 })];
}
