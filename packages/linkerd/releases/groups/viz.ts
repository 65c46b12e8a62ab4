import type { Values } from '#base/values';
import type { ChartGroup } from './chart-group';

/** The differences between the templates of chart linkerd-viz. */
export interface VizTemplates {
  /** The job that labels the namespace can be left out. */
  readonly metadataJobSwitch: boolean;
  /** metrics-api can authenticate to Prometheus with a Secret. */
  readonly prometheusCredentials: boolean;
  /** The chart renders invalid YAML with `metricsAPI.proxy.resources`. */
  readonly proxyResourcesBug: boolean;
  /** Prometheus scrapes proxies only of pending or running pods. */
  readonly scrapesLivingPods: boolean;
  /** The names of the ports by which Prometheus finds the components: a common one, or a common suffix. */
  readonly scrapedPorts: 'admin' | 'admin-http' | '.*admin$';
  /** The scrape job of Viz's Prometheus for the multi-cluster extension, with the components that it selects. */
  readonly mirrorJob: { readonly name: string; readonly components: string };
  /** The name of the port at which each component serves probes and metrics. */
  readonly adminPort: 'admin' | 'admin-http';
  /** The apiVersion of Servers. */
  readonly serverVersion: 'policy.linkerd.io/v1beta1' | 'policy.linkerd.io/v1beta3';
  /**
   * How the service account's token gets into pods: by a volume that only containers that need it mount, or by
   * Kubernetes, into all containers of a pod.
   */
  readonly apiAccess: 'volume' | 'automount';
  /** Replicas of the dashboard are spread over nodes like those of other components. */
  readonly spreadsDashboard: boolean;
  /** The scope of the objects for which API servers call the tap injector, if its webhook sets one. */
  readonly tappedScope?: 'Namespaced' | undefined;
  /** Settings without values: as the templates fix them, or null if they lack the setting. */
  readonly builtInSettings: Values;
}

const EDGE_26_1_4: VizTemplates = {
  metadataJobSwitch: true,
  prometheusCredentials: true,
  proxyResourcesBug: true,
  scrapesLivingPods: false,
  scrapedPorts: 'admin',
  mirrorJob: { name: 'linkerd-multicluster-controller', components: '(linkerd-service-mirror|controller)' },
  adminPort: 'admin',
  serverVersion: 'policy.linkerd.io/v1beta3',
  apiAccess: 'volume',
  spreadsDashboard: true,
  tappedScope: 'Namespaced',
  builtInSettings: {},
};
const EDGE_26_3_2: VizTemplates = { ...EDGE_26_1_4, scrapesLivingPods: true };
const EDGE_26_4_4: VizTemplates = { ...EDGE_26_3_2, scrapedPorts: '.*admin$' };

/** Chart linkerd-viz, by groups of releases. Most differ only in the image of the job that labels the namespace. */
export const VIZ = {
  'edge-26.8.3': { values: 'edge-26.8.3', templates: EDGE_26_4_4 },
  'edge-26.6.3': { values: 'edge-26.6.3', templates: EDGE_26_4_4 },
  'edge-26.4.4': { values: 'edge-26.4.4', templates: EDGE_26_4_4 },
  'edge-26.3.3': { values: 'edge-26.3.3', templates: EDGE_26_3_2 },
  'edge-26.3.2': { values: 'edge-26.3.1', templates: EDGE_26_3_2 },
  'edge-26.3.1': { values: 'edge-26.3.1', templates: EDGE_26_1_4 },
  'edge-26.1.4': { values: 'edge-26.1.4', templates: EDGE_26_1_4 },
  'stable-2.14.10': {
    values: 'stable-2.14.10',
    templates: {
      metadataJobSwitch: false,
      prometheusCredentials: false,
      proxyResourcesBug: false,
      scrapesLivingPods: false,
      scrapedPorts: 'admin-http',
      mirrorJob: { name: 'linkerd-service-mirror', components: 'linkerd-service-mirror' },
      adminPort: 'admin-http',
      serverVersion: 'policy.linkerd.io/v1beta1',
      apiAccess: 'automount',
      spreadsDashboard: false,
      builtInSettings: {
        createNamespaceMetadataJob: true,
        dashboard: { GID: null, service: { labels: null } },
        defaultGID: null,
        enablePodDisruptionBudget: null,
        metricsAPI: { GID: null },
        prometheus: { metricRelabelConfigs: null, podAnnotations: null },
        prometheusCredsSecret: null,
        revisionHistoryLimit: null,
        tap: { GID: null },
        tapInjector: { GID: null },
      },
    },
  },
} as const satisfies Readonly<Record<string, ChartGroup<VizTemplates>>>;
