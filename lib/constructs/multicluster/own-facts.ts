import { type Values, valueAt } from '../../kubernetes/values';
import { MULTICLUSTER_NAMESPACE } from '../../linkerd/charts/linkerd-multicluster/chart';
import { remoteAccounts } from '../../linkerd/charts/linkerd-multicluster/named-values';
import type { LinkerdVersion } from '../../linkerd/releases/release';
import type { LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { anchorFacts } from '../pki/anchor-facts';
import type { GatewayFacts, MulticlusterFacts } from './facts';

/**
 * Returns what other clusters need to know to link to this one.
 *
 * @param values - all of the chart that do not follow from links of its own
 * @param addresses - those of the gateway
 */
export function multiclusterFacts(
  values: Values,
  controlPlane: LinkerdControlPlane<LinkerdVersion>,
  addresses: readonly string[],
): MulticlusterFacts {
  const { clusterDomain, trustDomain, namespace, pki } = controlPlane;
  return {
    clusterDomain,
    trustDomain,
    controlPlaneNamespace: namespace,
    anchor: anchorFacts(pki),
    ...(valueAt(values, 'gateway.enabled') === true
      ? { gateway: gatewayFacts(values, { trustDomain, namespace, addresses }) }
      : {}),
    hasRemoteAccount: remoteAccounts(values).length > 0,
  };
}

/** A mesh, and where its gateway is reached. */
interface GatewayPlace {
  readonly trustDomain: string;
  /** Namespace of the control plane. */
  readonly namespace: string;
  readonly addresses: readonly string[];
}

function gatewayFacts(values: Values, { trustDomain, namespace, addresses }: GatewayPlace): GatewayFacts {
  const at = (path: string) => valueAt(values, `gateway.${path}`);
  const port = (path: string) => (typeof at(path) === 'number' ? (at(path) as number) : undefined);
  // From outside, such a Service is reached by ports of the nodes only.
  const isOnNodes = at('serviceType') === 'NodePort';
  const loadBalancer = at('loadBalancerIP');
  const known = addresses.length === 0 && typeof loadBalancer === 'string' && loadBalancer !== '' ? [loadBalancer] : [];
  return {
    // linkerd2, multicluster/charts/linkerd-multicluster: the annotation mirror.linkerd.io/gateway-identity.
    identity: `${at('name')}.${MULTICLUSTER_NAMESPACE}.serviceaccount.identity.${namespace}.${trustDomain}`,
    addresses: [...addresses, ...known],
    port: port(isOnNodes ? 'nodePort' : 'port'),
    probe: {
      port: port(isOnNodes ? 'probe.nodePort' : 'probe.port'),
      path: `${at('probe.path')}`,
      seconds: port('probe.seconds') ?? 3,
    },
  };
}
