import type { Reference } from '#kubernetes/objects/references';
import type { Chart } from '../../charts/chart';
import { partDefaults } from '../../releases/chart-defaults';
import type { Release } from '../../releases/release';
import { ownChart } from '../own-chart';

/** The definition by which the Gateway API is recognized. */
export const HTTP_ROUTES: Reference = {
  kind: 'CustomResourceDefinition',
  name: 'httproutes.gateway.networking.k8s.io',
};

/** Returns the chart linkerd-crds of a release, which has only cluster-scoped objects. */
export function crdsChart(release: Release): Chart {
  const { installedBy } = release.groups.crds.templates.gatewayApi;
  const { crds: pinned } = release.charts;
  return {
    pinned,
    namespace: 'linkerd-crds',
    get defaults() {
      return partDefaults(release, 'crds');
    },
    provides: ({ [installedBy]: installed }) => (installed === true ? [HTTP_ROUTES] : []),
    requires: () => [],
    ...ownChart(release, 'crds', 'linkerd-crds'),
  };
}
