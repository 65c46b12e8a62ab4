import { remembered } from '#base/remembered';
import type { NativeRenderer, RenderedChart } from '../../charts/chart';
import { partDefaults } from '../../releases/chart-defaults';
import type { ControlPlaneTemplates } from '../../releases/groups/control-plane';
import type { Release } from '../../releases/release';
import { named, pullSecrets } from '../chart-references';
import { ownChart } from '../own-chart';

/** Returns the chart linkerd-control-plane of a release. */
export function controlPlaneChart(release: Release): RenderedChart {
  const { controlPlane: pinned } = release.charts;
  const own = ownChart(release, 'controlPlane', 'linkerd');
  return {
    pinned,
    namespace: 'linkerd',
    get defaults() {
      return partDefaults(release, 'controlPlane');
    },
    provides: ({ disableHeartBeat }, namespace) => [
      ...named('ServiceAccount', namespace, ['linkerd-destination', 'linkerd-identity', 'linkerd-proxy-injector']),
      ...named('ServiceAccount', namespace, disableHeartBeat === true ? [] : ['linkerd-heartbeat']),
      ...named('Service', namespace, [
        'linkerd-dst',
        'linkerd-dst-headless',
        'linkerd-identity',
        'linkerd-identity-headless',
        'linkerd-policy',
        'linkerd-policy-validator',
        'linkerd-proxy-injector',
        'linkerd-sp-validator',
      ]),
      ...named('ConfigMap', namespace, ['linkerd-config']),
    ],
    requires: pullSecrets,
    // If a proxy looks up linkerd-destination before it has an endpoint, CoreDNS answers for up to 30 s that it has
    // none. No pod gets a proxy without the injector.
    startsAfter: { 'linkerd-proxy-injector': 'linkerd-destination' },
    get native() {
      return own?.native ?? native(release.groups.controlPlane.templates);
    },
    checkGiven: own?.checkGiven,
  };
}

/** One renderer for all clusters of a release: results are cached with it. */
const native = remembered((templates: ControlPlaneTemplates): NativeRenderer => {
  const { controlPlaneRenderer } = require('./control-plane') as typeof import('./control-plane');
  return controlPlaneRenderer(templates);
});
