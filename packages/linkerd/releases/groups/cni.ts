import type { ChartGroup } from './chart-group';

/** The differences between the templates of chart linkerd2-cni. */
export interface CniTemplates {
  /**
   * Values choose how traffic is redirected: by which iptables, for which group of the proxy, and also for IPv6.
   * Otherwise the plugin chooses, for IPv4 only, and its configuration contains the address of the API server.
   */
  readonly redirectionChosen: boolean;
  /** Values set how the DaemonSet is rolled out. */
  readonly rolloutChosen: boolean;
  /** Whether the repair controller has its own resources and port name, or shares them. */
  readonly repairController: 'own resources' | "the installer's resources";
}

const EDGE: CniTemplates = {
  redirectionChosen: true,
  rolloutChosen: true,
  repairController: 'own resources',
};

/** Chart linkerd2-cni, by groups of releases. The charts of edge releases differ only in the image of the plugin. */
export const CNI = {
  'edge-26.8.3': { values: 'edge-26.8.3', templates: EDGE },
  'edge-26.6.3': { values: 'edge-26.6.3', templates: EDGE },
  'edge-26.5.1': { values: 'edge-26.4.4', templates: EDGE },
  'edge-26.4.4': { values: 'edge-26.4.4', templates: EDGE },
  'edge-26.4.3': { values: 'edge-26.4.3', templates: EDGE },
  'edge-26.1.4': { values: 'edge-26.1.4', templates: EDGE },
  'edge-25.10.7': { values: 'edge-25.10.7', templates: EDGE },
  'stable-2.14.10': {
    values: 'stable-2.14.10',
    templates: {
      redirectionChosen: false,
      rolloutChosen: false,
      repairController: "the installer's resources",
    },
  },
} as const satisfies Readonly<Record<string, ChartGroup<CniTemplates>>>;
