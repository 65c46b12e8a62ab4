import { Lazy } from 'cdk8s';
import { LINKERD_NETWORK } from '../../../operator/api/multus/network-attachment';
import { INJECT, MULTUS_NETWORKS } from '../../linkerd/annotations';
import type { Release } from '../../linkerd/releases/release';
import { configAnnotations } from '../meshing/config/config-annotations';
import { nativeSidecarAnnotations } from '../meshing/native-sidecar';
import { OPERATOR_PORTS } from './operator-names';

/** Ports at which clusters have their API server: that of the Service, and the usual one behind it. */
const API_SERVER_PORTS = [443, 6443];

/** The part of the operator's pods in the mesh that they look after. */
export interface OperatorMeshing {
  readonly release: Release;
  /** Tells whether they have a proxy. */
  readonly meshed: boolean;
  /** Tells whether they attach to the CNI plugin by Multus, asked at synth. Their own webhook leaves them alone. */
  readonly attaches: () => boolean;
  /** Tells whether a Prometheus is to scrape it, which need not be of the mesh. */
  readonly scraped: boolean;
}

/**
 * Annotations of the operator's pods. It must work when the mesh does not, so what it does for the mesh passes it by.
 */
export function operatorPodAnnotations({
  release,
  meshed,
  attaches,
  scraped,
}: OperatorMeshing): Readonly<Record<string, string>> {
  if (!meshed) return {};
  return {
    [INJECT]: 'enabled',
    ...configAnnotations(
      {
        // The API server has no identity in the mesh.
        skipInboundPorts: [OPERATOR_PORTS.webhook],
        skipOutboundPorts: API_SERVER_PORTS,
        // As pods of the control plane: where the default is to deny, nobody would see its metrics. Its NetworkPolicy says
        // which ports there are.
        ...(scraped ? { defaultInboundPolicy: 'all-unauthenticated' as const } : {}),
      },
      release,
    ),
    ...nativeSidecarAnnotations(release),
    [MULTUS_NETWORKS]: Lazy.any({ produce: () => (attaches() ? LINKERD_NETWORK : undefined) }),
  };
}
