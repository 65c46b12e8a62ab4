import { chartDefaults } from '../../releases/chart-defaults';
import { valueAt } from '../../releases/values';
import { chartsOf, featuresOf, type LinkerdVersion } from '../../releases/versions';
import type { Chart, NativeRenderer } from '../chart';
import { named, pullSecrets } from '../chart-references';

/** The namespace of Viz. */
export const VIZ_NAMESPACE = 'linkerd-viz';

/** The chart linkerd-viz of a release. */
export function vizChart(version: LinkerdVersion): Chart {
  const { viz: pinned } = chartsOf(version);
  return {
    pinned,
    namespace: VIZ_NAMESPACE,
    get defaults() {
      return chartDefaults(pinned);
    },
    provides: (values, namespace) => {
      const prometheus = valueAt(values, 'prometheus.enabled') === true ? ['prometheus'] : [];
      const components = ['metrics-api', 'tap', 'tap-injector', 'web', ...prometheus];
      return [...named('Service', namespace, components), ...named('ServiceAccount', namespace, components)];
    },
    requires: (values, namespace) => {
      const { prometheusCredsSecret: credentials } = values;
      return [
        ...(typeof credentials === 'string' && credentials !== '' ? named('Secret', namespace, [credentials]) : []),
        ...pullSecrets(values, namespace),
      ];
    },
    get native() {
      return featuresOf(version).rendered ? native() : undefined;
    },
  };
}

function native(): NativeRenderer {
  const { VIZ } = require('./native') as typeof import('./native');
  return VIZ;
}
