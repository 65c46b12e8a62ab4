import type { ClusterReference } from '../../gitops/tree/cluster-reference';
import type { AnchorFacts } from '../pki/anchor-facts';

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
