import { remembered } from '../../../kubernetes/remembered';
import { chartDefaults } from '../../releases/chart-defaults';
import type { CniTemplates } from '../../releases/groups/cni';
import type { Release } from '../../releases/release';
import type { NativeRenderer, RenderedChart } from '../chart';
import { named, pullSecrets } from '../chart-references';

/** Returns the chart linkerd2-cni of a release. */
export function cniChart(release: Release): RenderedChart {
  const { cni: pinned } = release.charts;
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
      return native(release.groups.cni.templates);
    },
  };
}

/** One renderer for all clusters of a release: results are cached with it. */
const native = remembered((templates: CniTemplates): NativeRenderer => {
  const { cniRenderer } = require('./native') as typeof import('./native');
  return cniRenderer(templates);
});
