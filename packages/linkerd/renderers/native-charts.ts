import type { RenderedChart } from '../charts/chart';
import { DEFAULT_LINKERD_VERSION } from '../releases/known-releases';
import { type GivenRelease, type Release, releaseOf } from '../releases/release';
import type { ChartName, RenderedChartName } from './chart-names';

/** Functions that return a chart of a release; undefined if the release does not have the chart. */
type ChartsByName = {
  readonly [N in RenderedChartName]: (
    release: Release,
  ) => N extends ChartName ? RenderedChart : RenderedChart | undefined;
};

/** Loads only the requested chart. */
const CHARTS: ChartsByName = {
  'linkerd-control-plane': (release) => {
    const { controlPlaneChart } =
      require('./linkerd-control-plane/chart') as typeof import('./linkerd-control-plane/chart');
    return controlPlaneChart(release);
  },
  'linkerd-viz': (release) => {
    const { vizChart } = require('./linkerd-viz/chart') as typeof import('./linkerd-viz/chart');
    return vizChart(release);
  },
  'linkerd2-cni': (release) => {
    const { cniChart } = require('./linkerd2-cni/chart') as typeof import('./linkerd2-cni/chart');
    return cniChart(release);
  },
  'linkerd-jaeger': (release) => {
    const { jaegerChart } = require('./linkerd-jaeger/chart') as typeof import('./linkerd-jaeger/chart');
    return jaegerChart(release);
  },
  'linkerd-multicluster': (release) => {
    const { multiclusterChart } =
      require('./linkerd-multicluster/chart') as typeof import('./linkerd-multicluster/chart');
    return multiclusterChart(release);
  },
};

/** Returns the chart of a release by its name; undefined if the release does not have it. */
export function chartNamed(name: ChartName, release: Release): RenderedChart;
export function chartNamed(name: RenderedChartName, release: Release): RenderedChart | undefined;
export function chartNamed(name: RenderedChartName, release: Release): RenderedChart | undefined {
  return CHARTS[name](release);
}

/**
 * Returns a chart of a release by its name.
 *
 * @throws RangeError if the release does not have it
 */
export function nativeChartOf(name: RenderedChartName, release: GivenRelease = DEFAULT_LINKERD_VERSION): RenderedChart {
  const chart = chartNamed(name, releaseOf(release));
  if (chart !== undefined) return chart;
  throw new RangeError(`${releaseOf(release).version} has no chart ${name}`);
}
