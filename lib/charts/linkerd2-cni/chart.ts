import { chartDefaults } from '../../releases/chart-defaults';
import { chartsOf, featuresOf, type LinkerdVersion } from '../../releases/versions';
import type { Chart, NativeRenderer } from '../chart';
import { named, pullSecrets } from '../chart-references';

/** The chart linkerd2-cni of a release. */
export function cniChart(version: LinkerdVersion): Chart {
  const { cni: pinned } = chartsOf(version);
  return {
    pinned,
    namespace: 'linkerd-cni',
    get defaults() {
      return chartDefaults(pinned);
    },
    provides: (_, namespace) => [
      ...named('ServiceAccount', namespace, ['linkerd-cni']),
      ...named('ConfigMap', namespace, ['linkerd-cni-config']),
    ],
    requires: pullSecrets,
    get native() {
      return featuresOf(version).rendered ? native() : undefined;
    },
  };
}

function native(): NativeRenderer {
  const { CNI } = require('./native') as typeof import('./native');
  return CNI;
}
