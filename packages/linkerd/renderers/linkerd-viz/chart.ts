import { remembered } from '#base/remembered';
import { valueAt } from '#base/values';
import type { NativeRenderer, RenderedChart } from '../../charts/chart';
import { partDefaults } from '../../releases/chart-defaults';
import type { VizTemplates } from '../../releases/groups/viz';
import type { Release } from '../../releases/release';
import { controlPlaneNamespace, named, pullSecrets } from '../chart-references';
import { ownChart } from '../own-chart';

/** The namespace of Viz. */
export const VIZ_NAMESPACE = 'linkerd-viz';

/** Returns the chart linkerd-viz of a release. */
export function vizChart(release: Release): RenderedChart {
  const { viz: pinned } = release.charts;
  const own = ownChart(release, 'viz', VIZ_NAMESPACE);
  return {
    pinned,
    namespace: VIZ_NAMESPACE,
    get defaults() {
      return partDefaults(release, 'viz');
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
      return own?.native ?? native(release.groups.viz.templates);
    },
    writesTo: controlPlaneNamespace,
    checkGiven: own?.checkGiven,
  };
}

const native = remembered((templates: VizTemplates): NativeRenderer => {
  const { vizRenderer } = require('./viz') as typeof import('./viz');
  return vizRenderer(templates);
});
