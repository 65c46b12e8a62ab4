import type { ChartGroup } from './chart-group';

/** The differences between the templates of chart linkerd2-cni. */
export interface CniTemplates {
  /**
   * Tells whether values choose how traffic is redirected: by which iptables, for which group of the proxy, and IPv6 as
   * well. Else the plugin chooses, of IPv4 only, and its configuration tells it where the API server is.
   */
  readonly redirectionChosen: boolean;
  /** Tells whether values say how the DaemonSet is rolled out. */
  readonly rolloutChosen: boolean;
  /** Tells whether the repair controller has resources and a name of its port of its own, or those of others. */
  readonly repairController: 'own resources' | "the installer's resources";
}

const EDGE: CniTemplates = {
  redirectionChosen: true,
  rolloutChosen: true,
  repairController: 'own resources',
};

/** Chart linkerd2-cni, by groups of releases. Those of edge differ in the image of the plugin only. */
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
