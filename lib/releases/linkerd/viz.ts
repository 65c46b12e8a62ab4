import type { ChartGroup } from './group';

/** The differences between the templates of chart linkerd-viz. */
export interface VizTemplates {
  /** Tells whether the job that labels the namespace can be left out. */
  readonly metadataJobSwitch: boolean;
  /** Tells whether metrics-api can authenticate to Prometheus with a Secret. */
  readonly prometheusCredentials: boolean;
  /** Tells whether the chart renders invalid YAML with `metricsAPI.proxy.resources`. */
  readonly proxyResourcesBug: boolean;
  /** Tells whether Prometheus asks only pods that are pending or running for their proxies' metrics. */
  readonly scrapesLivingPods: boolean;
  /** The names of the ports by which Prometheus finds the components: one for all, or one that ends alike. */
  readonly scrapedPorts: 'admin' | '.*admin$';
}

const EDGE_26_1_4: VizTemplates = {
  metadataJobSwitch: true,
  prometheusCredentials: true,
  proxyResourcesBug: true,
  scrapesLivingPods: false,
  scrapedPorts: 'admin',
};
const EDGE_26_3_2: VizTemplates = { ...EDGE_26_1_4, scrapesLivingPods: true };
const EDGE_26_4_4: VizTemplates = { ...EDGE_26_3_2, scrapedPorts: '.*admin$' };

/** Chart linkerd-viz, by groups of releases. Most differ in the image of the job that labels the namespace only. */
export const VIZ = {
  'edge-26.8.3': { values: 'edge-26.8.3', rendered: true, templates: EDGE_26_4_4 },
  'edge-26.6.3': { values: 'edge-26.6.3', rendered: true, templates: EDGE_26_4_4 },
  'edge-26.4.4': { values: 'edge-26.4.4', rendered: true, templates: EDGE_26_4_4 },
  'edge-26.3.3': { values: 'edge-26.3.3', rendered: true, templates: EDGE_26_3_2 },
  'edge-26.3.2': { values: 'edge-26.3.1', rendered: true, templates: EDGE_26_3_2 },
  'edge-26.3.1': { values: 'edge-26.3.1', rendered: true, templates: EDGE_26_1_4 },
  'edge-26.1.4': { values: 'edge-26.1.4', rendered: true, templates: EDGE_26_1_4 },
  'stable-2.14.10': {
    values: 'stable-2.14.10',
    rendered: false,
    templates: {
      metadataJobSwitch: false,
      prometheusCredentials: false,
      proxyResourcesBug: false,
      scrapesLivingPods: false,
      scrapedPorts: 'admin',
    },
  },
} as const satisfies Readonly<Record<string, ChartGroup<VizTemplates>>>;
