import type { Values as EdgeValues } from '../../imports/charts/linkerd-viz/edge-26.8.3';
import edgeHighAvailability from '../../imports/charts/linkerd-viz/edge-26.8.3.ha.json';
import type { Values as StableValues } from '../../imports/charts/linkerd-viz/stable-2.14.10';
import stableHighAvailability from '../../imports/charts/linkerd-viz/stable-2.14.10.ha.json';
import type { Values } from './values';
import type { LinkerdVersion } from './versions';

/** The features of a release's Viz that others do not have. */
export interface VizRelease {
  /** The chart's `values-ha.yaml`. */
  readonly highAvailability: Values;
  /** Tells whether the job that labels the namespace can be left out. */
  readonly metadataJobSwitch: boolean;
  /** Tells whether metrics-api can authenticate to Prometheus with a Secret. */
  readonly prometheusCredentials: boolean;
  /** Tells whether the chart renders invalid YAML with `metricsAPI.proxy.resources`. */
  readonly proxyResourcesBug: boolean;
  /** The newest API of Server that the release's CRDs serve. */
  readonly serverApi: 'policy.linkerd.io/v1beta1' | 'policy.linkerd.io/v1beta3';
}

const RELEASES: Readonly<Record<LinkerdVersion, VizRelease>> = {
  'edge-26.8.3': {
    highAvailability: edgeHighAvailability,
    metadataJobSwitch: true,
    prometheusCredentials: true,
    proxyResourcesBug: true,
    serverApi: 'policy.linkerd.io/v1beta3',
  },
  'stable-2.14.10': {
    highAvailability: stableHighAvailability,
    metadataJobSwitch: false,
    prometheusCredentials: false,
    proxyResourcesBug: false,
    serverApi: 'policy.linkerd.io/v1beta1',
  },
};

/** Returns the features of a release's Viz. */
export function vizReleaseOf(version: LinkerdVersion): VizRelease {
  return RELEASES[version];
}

/** Values of a release's linkerd-viz chart. */
export type VizValues<V extends LinkerdVersion> = { 'edge-26.8.3': EdgeValues; 'stable-2.14.10': StableValues }[V];
