import type { ChartGroup } from './chart-group';

/** The differences between the templates of chart linkerd-multicluster. */
export interface MulticlusterTemplates {
  /** The Service of the gateway accepts a port for the health checks of load balancers. */
  readonly healthCheckPort: boolean;
  /** The Servers of admin ports: one for all service mirrors, or one for each kind of them and one for proxies. */
  readonly adminServers: 'shared' | 'separate';
}

const EDGE_26_5_1: MulticlusterTemplates = { healthCheckPort: true, adminServers: 'separate' };
const EDGE_26_4_4: MulticlusterTemplates = { ...EDGE_26_5_1, healthCheckPort: false };
const EDGE_26_3_3: MulticlusterTemplates = { ...EDGE_26_4_4, adminServers: 'shared' };

/**
 * Chart linkerd-multicluster, by groups of releases. Some differ only in the image of the job that labels the
 * namespace. The chart of 2.14 has no service mirrors: `linkerd multicluster link` installs each from its own chart.
 */
export const MULTICLUSTER = {
  'edge-26.8.3': { values: 'edge-26.8.3', templates: EDGE_26_5_1 },
  'edge-26.7.1': { values: 'edge-26.7.1', templates: EDGE_26_5_1 },
  'edge-26.4.4': { values: 'edge-26.4.4', templates: EDGE_26_4_4 },
  'edge-26.3.3': { values: 'edge-26.3.3', templates: EDGE_26_3_3 },
  'edge-26.3.2': { values: 'edge-26.3.2', templates: EDGE_26_3_3 },
  'edge-26.1.4': { values: 'edge-26.1.4', templates: EDGE_26_3_3 },
} as const satisfies Readonly<Record<string, ChartGroup<MulticlusterTemplates>>>;
