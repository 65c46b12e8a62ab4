import { chartDefaults } from '../../releases/chart-defaults';
import type { Release } from '../../releases/release';
import type { Chart } from '../chart';
import { named, pullSecrets } from '../chart-references';

/** The chart linkerd-jaeger of a release; none where tracing is part of the control plane. */
export function jaegerChart(release: Release): Chart | undefined {
  const { jaeger: pinned } = release.charts;
  if (pinned === undefined) return undefined;
  return {
    pinned,
    namespace: 'linkerd-jaeger',
    get defaults() {
      return chartDefaults(pinned);
    },
    provides: (_, namespace) => [
      ...named('Service', namespace, ['jaeger-injector']),
      ...named('ServiceAccount', namespace, ['jaeger-injector']),
    ],
    requires: pullSecrets,
  };
}
