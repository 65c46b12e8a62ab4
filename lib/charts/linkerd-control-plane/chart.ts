import { chartDefaults } from '../../releases/chart-defaults';
import { chartsOf, featuresOf, type LinkerdVersion } from '../../releases/versions';
import type { Chart, NativeRenderer } from '../chart';
import { named, pullSecrets } from '../chart-references';

/** The chart linkerd-control-plane of a release. */
export function controlPlaneChart(version: LinkerdVersion): Chart {
  const { controlPlane: pinned } = chartsOf(version);
  return {
    pinned,
    namespace: 'linkerd',
    get defaults() {
      return chartDefaults(pinned);
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
    get native() {
      return featuresOf(version).rendered ? native() : undefined;
    },
  };
}

function native(): NativeRenderer {
  const { CONTROL_PLANE } = require('./native') as typeof import('./native');
  return CONTROL_PLANE;
}
