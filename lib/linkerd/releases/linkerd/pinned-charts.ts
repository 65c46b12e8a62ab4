import { deepFreeze } from '../../../kubernetes/plain-data';
import type { PinnedChart } from '../pinned-chart';
import { CHART_KINDS } from './chart-kinds';
import { chartVersions } from './chart-versions';
import type { LinkerdCharts } from './linkerd-charts';

/** The releases whose values are those of a release's charts, by chart. */
export type ChartValuesOf = { readonly [C in keyof Required<LinkerdCharts>]: string | undefined };

/** Viz binds its tap server to a Role in kube-system that tells whom the API server aggregates for. */
const VIZ_NAMESPACES = ['kube-system'];

/** The charts of a release, pinned. */
export function pinnedCharts(release: string, valuesOf: ChartValuesOf): LinkerdCharts {
  const { repository, crds, cni, controlPlane, viz, jaeger, multicluster } = chartVersions(release);
  const pinned = (chart: keyof LinkerdCharts, name: string, version: string): PinnedChart => ({
    name,
    version,
    repository,
    valuesOf: valuesOf[chart],
    linkerdVersion: release,
    kinds: CHART_KINDS[chart],
    foreignNamespaces: chart === 'viz' ? VIZ_NAMESPACES : [],
  });
  // All clusters have these, and users find them at releases.
  return deepFreeze({
    crds: pinned('crds', 'linkerd-crds', crds),
    cni: pinned('cni', 'linkerd2-cni', cni),
    controlPlane: pinned('controlPlane', 'linkerd-control-plane', controlPlane),
    viz: pinned('viz', 'linkerd-viz', viz),
    ...(jaeger === undefined ? {} : { jaeger: pinned('jaeger', 'linkerd-jaeger', jaeger) }),
    ...(multicluster === undefined
      ? {}
      : { multicluster: pinned('multicluster', 'linkerd-multicluster', multicluster) }),
  });
}
