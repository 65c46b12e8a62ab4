import type { Reference } from '../../../kubernetes/references';
import { chartDefaults } from '../../releases/chart-defaults';
import type { Release } from '../../releases/release';
import type { Chart } from '../chart';

/** The definition by which the Gateway API is known to be there. */
export const HTTP_ROUTES: Reference = {
  kind: 'CustomResourceDefinition',
  name: 'httproutes.gateway.networking.k8s.io',
};

/** The chart linkerd-crds of a release. It has cluster-scoped objects only. */
export function crdsChart(release: Release): Chart {
  const { installedBy } = release.groups.crds.templates.gatewayApi;
  const { crds: pinned } = release.charts;
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
