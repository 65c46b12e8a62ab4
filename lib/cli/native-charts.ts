import { type Chart, isRendered, type RenderedChart } from '../charts/chart';
import { DEFAULT_LINKERD_VERSION, type GivenRelease, type Release, releaseOf } from '../releases/release';
import type { ChartName } from './chart-names';

/** Loads of all charts the one that is asked for. */
const CHARTS: Readonly<Record<ChartName, (release: Release) => Chart>> = {
  'linkerd-control-plane': (release) => {
    const { controlPlaneChart } =
      require('../charts/linkerd-control-plane/chart') as typeof import('../charts/linkerd-control-plane/chart');
    return controlPlaneChart(release);
  },
  'linkerd-viz': (release) => {
    const { vizChart } = require('../charts/linkerd-viz/chart') as typeof import('../charts/linkerd-viz/chart');
    return vizChart(release);
  },
  'linkerd2-cni': (release) => {
    const { cniChart } = require('../charts/linkerd2-cni/chart') as typeof import('../charts/linkerd2-cni/chart');
    return cniChart(release);
  },
};

/** Returns the chart of a release by its name. */
export function chartNamed(name: ChartName, release: Release): Chart {
  return CHARTS[name](release);
}

/** Returns a chart of a release, which is rendered without Helm, by its name. */
export function nativeChartOf(name: ChartName, release: GivenRelease = DEFAULT_LINKERD_VERSION): RenderedChart {
  const chart = chartNamed(name, releaseOf(release));
  if (!isRendered(chart)) throw new Error(`nothing renders ${name} of ${releaseOf(release).version}`);
  return chart;
}
