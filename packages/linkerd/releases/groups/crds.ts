import type { ChartGroup } from './chart-group';

/**
 * The differences between the custom resources of chart linkerd-crds, and the requirements of its release on a cluster.
 */
export interface CrdsTemplates {
  readonly gatewayApi: {
    /** The value of linkerd-crds that installs the CRDs of the Gateway API. */
    readonly installedBy: 'installGatewayAPI' | 'enableHttpRoutes';
    /** They are installed by default. */
    readonly installed: boolean;
    /** The apiVersion of HTTPRoute in clusters with this release. */
    readonly routeVersion: 'gateway.networking.k8s.io/v1' | 'gateway.networking.k8s.io/v1beta1';
  };
  /** The newest apiVersion of Server that its CRDs serve. */
  readonly serverVersion: 'policy.linkerd.io/v1beta1' | 'policy.linkerd.io/v1beta3';
  /** The names of its CRDs, if they were read from the chart. */
  readonly definitions?: readonly string[];
  /** The oldest minor version of Kubernetes that the release's charts allow. */
  readonly kubernetes: string;
}

const EDGE_25_11_1: CrdsTemplates = {
  // Linkerd installs HTTPRoute up to 2.18; later releases expect version 1.2 or newer of the Gateway API in the
  // cluster.
  gatewayApi: {
    installedBy: 'installGatewayAPI',
    installed: false,
    routeVersion: 'gateway.networking.k8s.io/v1',
  },
  serverVersion: 'policy.linkerd.io/v1beta3',
  kubernetes: '1.23',
};

/** Chart linkerd-crds, by groups of releases. */
export const CRDS = {
  'edge-26.8.3': { values: 'edge-26.8.3', templates: { ...EDGE_25_11_1, kubernetes: '1.31' } },
  'edge-26.4.4': { values: 'edge-26.8.3', templates: EDGE_25_11_1 },
  'edge-25.11.1': { values: 'edge-26.8.3', templates: EDGE_25_11_1 },
  'stable-2.14.10': {
    values: 'stable-2.14.10',
    templates: {
      // The chart installs Gateway API 0.7, whose latest HTTPRoute is v1beta1.
      gatewayApi: {
        installedBy: 'enableHttpRoutes',
        installed: true,
        routeVersion: 'gateway.networking.k8s.io/v1beta1',
      },
      serverVersion: 'policy.linkerd.io/v1beta1',
      kubernetes: '1.21',
    },
  },
} as const satisfies Readonly<Record<string, ChartGroup<CrdsTemplates>>>;
