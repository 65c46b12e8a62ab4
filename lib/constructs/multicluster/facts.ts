import type { ClusterReference } from '../../gitops/tree/cluster-reference';
import type { Problem } from '../../kubernetes/findings/problem';
import { checkLabelKey } from '../../kubernetes/names';
import { type Values, valueAt } from '../../kubernetes/values';
import { MULTICLUSTER_NAMESPACE } from '../../linkerd/charts/linkerd-multicluster/chart';
import { remoteAccounts } from '../../linkerd/charts/linkerd-multicluster/named-values';
import type { LinkerdVersion } from '../../linkerd/releases/release';
import type { LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { type AnchorFacts, anchorFacts } from '../pki/anchor-facts';

/** The topic under which clusters tell others of their multi-cluster extension. */
export const MULTICLUSTER_FACTS = 'multicluster';

/** A cluster's gateway, as those reach it who link to the cluster. */
export interface GatewayFacts {
  /** The identity that its proxy has. */
  readonly identity: string;
  /** Addresses at which other clusters reach it; none where nobody says them. */
  readonly addresses: readonly string[];
  /** The port at these; absent where Kubernetes chooses it. */
  readonly port?: number | undefined;
  readonly probe: {
    /** The port; absent where Kubernetes chooses it. */
    readonly port?: number | undefined;
    readonly path: string;
    /** Seconds between probes. */
    readonly seconds: number;
  };
}

/** A cluster with the multi-cluster extension, as those know it who link to it: plain data. */
export interface MulticlusterFacts {
  readonly clusterDomain: string;
  readonly trustDomain: string;
  readonly controlPlaneNamespace: string;
  readonly anchor: AnchorFacts;
  /** Absent where the extension has none. */
  readonly gateway?: GatewayFacts;
  /** Tells whether it has an account by which others read its services. */
  readonly hasRemoteAccount: boolean;
}

/** Facts about a cluster, or why there are none. */
export type TargetFacts = MulticlusterFacts | 'unbuilt' | 'none';

/** Returns the facts about a cluster that something is linked to. To be asked at synth. */
export function targetFacts(target: ClusterReference): TargetFacts {
  const facts = target.facts();
  if (facts === undefined) return 'unbuilt';
  const [own] = facts.get(MULTICLUSTER_FACTS) ?? [];
  return own === undefined ? 'none' : (own as MulticlusterFacts);
}

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

/**
 * Labels that mirrors of services do not get. By these Argo CD, where it tracks by label, tells what it manages: it would
 * take the mirror for an object of its own that is not in Git any more, and prune it.
 */
export const LEFT_LABELS: readonly string[] = ['app.kubernetes.io/instance', 'argocd.argoproj.io/*'];

/** Annotations that they do not get: Argo CD's, of which some say what it manages, and all of the service in them. */
export const LEFT_ANNOTATIONS: readonly string[] = [
  'argocd.argoproj.io/*',
  'kubectl.kubernetes.io/last-applied-configuration',
];

/** Checks keys that mirrors do not get: whole ones, or all that begin with a prefix (`example.com/*`). */
export function checkLeftKeys(field: string, keys: readonly string[]): readonly Problem[] {
  return keys.flatMap((key, index) =>
    checkLabelKey(`${field}[${index}]`, typeof key === 'string' ? key.replace(/\/\*$/, '/any') : key),
  );
}
