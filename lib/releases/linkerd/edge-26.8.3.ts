import * as keys from '../../kubernetes/annotations';
import { EDGE_REPOSITORY, edgeCharts } from './edge-charts';
import type { LinkerdRelease } from './release';

/** Linkerd 2.20 as of August 2026. */
export const EDGE_26_8_3 = {
  versions: ['edge-26.8.3'],
  repository: EDGE_REPOSITORY,
  imported: 'edge-26.8.3',
  charts: edgeCharts,
  features: {
    rendered: true,
    nativeSidecars: true,
    nativeSidecarAnnotation: keys.NATIVE_SIDECAR,
    tracing: 'proxy',
    // The ports have names of their own since 2.19: https://linkerd.io/2-edge/reference/controlplane-port-names/
    adminPorts: { keep: '.*admin$', drop: 'linkerd-admin' },
    // The init container runs the image of the proxy.
    workloadSettings: [
      'proxy.gid',
      'proxy.env',
      'proxy.cpuRatioLimit',
      'defaultInboundPolicy audit',
      'traceAttributes',
    ],
    validatorUser: 'fields',
    // Linkerd brings HTTPRoute along up to 2.18; later releases leave it to the cluster, and want 1.2 or newer there.
    gatewayApi: {
      installedBy: 'installGatewayAPI',
      installed: false,
      routeVersion: 'gateway.networking.k8s.io/v1',
    },
    serverVersion: 'policy.linkerd.io/v1beta3',
    viz: { metadataJobSwitch: true, prometheusCredentials: true, proxyResourcesBug: true },
  },
} as const satisfies LinkerdRelease;
