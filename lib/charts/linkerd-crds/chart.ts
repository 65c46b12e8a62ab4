import { chartDefaults } from '../../releases/chart-defaults';
import { chartsOf, featuresOf, type LinkerdVersion } from '../../releases/versions';
import type { Reference } from '../../tree/references';
import type { Chart } from '../chart';

/** The definition by which the Gateway API is known to be there. */
export const HTTP_ROUTES: Reference = {
  kind: 'CustomResourceDefinition',
  name: 'httproutes.gateway.networking.k8s.io',
};

/** The chart linkerd-crds of a release. It has cluster-scoped objects only. */
export function crdsChart(version: LinkerdVersion): Chart {
  const { installedBy } = featuresOf(version).gatewayApi;
  const { crds: pinned } = chartsOf(version);
  return {
    pinned,
    namespace: 'linkerd-crds',
    get defaults() {
      return chartDefaults(pinned);
    },
    provides: ({ [installedBy]: installed }) => (installed === true ? [HTTP_ROUTES] : []),
    requires: () => [],
  };
}
