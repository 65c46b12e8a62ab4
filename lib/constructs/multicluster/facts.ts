import type { Problem } from '#base/findings/problem';
import { type Values, valueAt } from '#base/values';
import { checkLabelKey } from '#kubernetes/names';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { MULTICLUSTER_NAMESPACE } from '#linkerd/renderers/linkerd-multicluster/chart';
import { remoteAccounts } from '#linkerd/renderers/linkerd-multicluster/named-values';
import type { ClusterReference } from '../../gitops/tree/cluster-reference';
import type { LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { type AnchorFacts, anchorFacts } from '../pki/anchor-facts';

/** The topic under which clusters publish facts about their multi-cluster extension. */
export const MULTICLUSTER_FACTS = 'multicluster';

/** A cluster's gateway, as linked clusters reach it. */
export interface GatewayFacts {
  /** The identity of its proxy. */
  readonly identity: string;
  /** Addresses at which other clusters reach it; empty if not given. */
  readonly addresses: readonly string[];
  /** The port at these addresses; absent if Kubernetes chooses it. */
  readonly port?: number | undefined;
  readonly probe: {
    /** The port; absent if Kubernetes chooses it. */
    readonly port?: number | undefined;
    readonly path: string;
    /** Seconds between probes. */
    readonly seconds: number;
  };
}

/** A cluster with the multi-cluster extension, as plain data for the clusters that link to it. */
export interface MulticlusterFacts {
  readonly clusterDomain: string;
  readonly trustDomain: string;
  readonly controlPlaneNamespace: string;
  readonly anchor: AnchorFacts;
  readonly certManagerNamespace: string;
  /** Absent if the extension has none. */
  readonly gateway?: GatewayFacts;
  /** Whether it has an account with which other clusters read its services. */
  readonly hasRemoteAccount: boolean;
}

/** Facts about a cluster, or the reason why they are missing. */
export type TargetFacts = MulticlusterFacts | 'unbuilt' | 'none';

/** Returns the facts about the target of a link. Call it at synth. */
export function targetFacts(target: ClusterReference): TargetFacts {
  const facts = target.facts();
  if (facts === undefined) return 'unbuilt';
  const [own] = facts.get(MULTICLUSTER_FACTS) ?? [];
  return own === undefined ? 'none' : (own as MulticlusterFacts);
}

/**
 * Returns the facts that other clusters need to link to this one.
 *
 * @param values - all values of the chart, except those of its own links
 * @param addresses - addresses of the gateway
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
    certManagerNamespace: pki.certManager.namespace,
    ...(valueAt(values, 'gateway.enabled') === true
      ? { gateway: gatewayFacts(values, { trustDomain, namespace, addresses }) }
      : {}),
    hasRemoteAccount: remoteAccounts(values).length > 0,
  };
}

interface GatewayPlace {
  readonly trustDomain: string;
  readonly namespace: string;
  readonly addresses: readonly string[];
}

function gatewayFacts(values: Values, { trustDomain, namespace, addresses }: GatewayPlace): GatewayFacts {
  const at = (path: string) => valueAt(values, `gateway.${path}`);
  const port = (path: string) => (typeof at(path) === 'number' ? (at(path) as number) : undefined);
  // Clients outside the cluster reach a NodePort Service only by ports of the nodes.
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

/**
 * Labels that mirrors do not copy from services. With tracking by label, Argo CD finds its objects by these labels: it
 * would treat the mirror as an object that was removed from Git, and prune it.
 */
export const LEFT_LABELS: readonly string[] = ['app.kubernetes.io/instance', 'argocd.argoproj.io/*'];

/**
 * Annotations that mirrors do not copy: those of Argo CD, which may mark managed objects, and kubectl's copy of the
 * whole service.
 */
export const LEFT_ANNOTATIONS: readonly string[] = [
  'argocd.argoproj.io/*',
  'kubectl.kubernetes.io/last-applied-configuration',
];

/** Checks keys that mirrors do not copy: whole keys, or all with a prefix (`example.com/*`). */
export function checkLeftKeys(field: string, keys: readonly string[]): readonly Problem[] {
  return keys.flatMap((key, index) =>
    checkLabelKey(`${field}[${index}]`, typeof key === 'string' ? key.replace(/\/\*$/, '/any') : key),
  );
}
