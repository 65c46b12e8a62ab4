import { deepFreeze } from '../../kubernetes/plain-data';
import type { PinnedChart } from '../pinned-chart';
import { CHART_KINDS } from './chart-kinds';
import type { LinkerdCharts, LinkerdRelease } from './release';

/** Viz binds its tap server to a Role in kube-system that tells whom the API server aggregates for. */
const VIZ_NAMESPACES = ['kube-system'];

/** The charts of one version of a release, pinned. */
export function pinnedCharts({ charts, repository, imported }: LinkerdRelease, version: string): LinkerdCharts {
  const { crds, cni, controlPlane, viz, jaeger } = charts(version);
  const pinned = (chart: keyof LinkerdCharts, name: string, chartVersion: string): PinnedChart => ({
    name,
    version: chartVersion,
    repository,
    valuesOf: imported,
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
  });
}
