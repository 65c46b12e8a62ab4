import { remembered } from '#base/remembered';
import type { NativeRenderer, RenderedChart } from '../../charts/chart';
import { partDefaults } from '../../releases/chart-defaults';
import type { CniTemplates } from '../../releases/groups/cni';
import type { Release } from '../../releases/release';
import { named, pullSecrets } from '../chart-references';
import { ownChart } from '../own-chart';

/** Returns the chart linkerd2-cni of a release. */
export function cniChart(release: Release): RenderedChart {
  const { cni: pinned } = release.charts;
  const own = ownChart(release, 'cni', 'linkerd-cni');
  return {
    pinned,
    namespace: 'linkerd-cni',
    get defaults() {
      return partDefaults(release, 'cni');
    },
    provides: (_, namespace) => [
      ...named('ServiceAccount', namespace, ['linkerd-cni']),
      ...named('ConfigMap', namespace, ['linkerd-cni-config']),
    ],
    requires: pullSecrets,
    get native() {
      return own?.native ?? native(release.groups.cni.templates);
    },
    checkGiven: own?.checkGiven,
  };
}

const native = remembered((templates: CniTemplates): NativeRenderer => {
  const { cniRenderer } = require('./cni') as typeof import('./cni');
  return cniRenderer(templates);
});
