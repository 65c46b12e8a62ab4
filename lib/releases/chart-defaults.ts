import edgeControlPlane from '../../imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import edgeHighAvailability from '../../imports/charts/linkerd-control-plane/edge-26.8.3.ha.json';
import stableControlPlane from '../../imports/charts/linkerd-control-plane/stable-2.14.10.defaults.json';
import stableHighAvailability from '../../imports/charts/linkerd-control-plane/stable-2.14.10.ha.json';
import edgeCni from '../../imports/charts/linkerd2-cni/edge-26.8.3.defaults.json';
import stableCni from '../../imports/charts/linkerd2-cni/stable-2.14.10.defaults.json';
import { knownRelease } from './known-release';
import type { Values } from './values';
import type { LinkerdVersion } from './versions';

/** The values that a release's charts have of themselves. */
interface ChartDefaults {
  readonly controlPlane: Values;
  /** The control plane's `values-ha.yaml`. */
  readonly highAvailability: Values;
  readonly cni: Values;
}

const DEFAULTS: Readonly<Record<LinkerdVersion, ChartDefaults>> = {
  'edge-26.8.3': { controlPlane: edgeControlPlane, highAvailability: edgeHighAvailability, cni: edgeCni },
  'stable-2.14.10': { controlPlane: stableControlPlane, highAvailability: stableHighAvailability, cni: stableCni },
};

/** The values that a release's charts have of themselves. */
export function defaultsOf(version: LinkerdVersion): ChartDefaults {
  return knownRelease('Linkerd', DEFAULTS, version);
}
