import { type Chart, isRendered, type RenderedChart } from '../charts/chart';
import { DEFAULT_LINKERD_VERSION, type LinkerdVersion } from '../releases/versions';
import type { ChartName } from './chart-names';

/** Loads of all charts the one that is asked for. */
const CHARTS: Readonly<Record<ChartName, (version: LinkerdVersion) => Chart>> = {
  'linkerd-control-plane': (version) => {
    const { controlPlaneChart } =
      require('../charts/linkerd-control-plane/chart') as typeof import('../charts/linkerd-control-plane/chart');
    return controlPlaneChart(version);
  },
  'linkerd-viz': (version) => {
    const { vizChart } = require('../charts/linkerd-viz/chart') as typeof import('../charts/linkerd-viz/chart');
    return vizChart(version);
  },
  'linkerd2-cni': (version) => {
    const { cniChart } = require('../charts/linkerd2-cni/chart') as typeof import('../charts/linkerd2-cni/chart');
    return cniChart(version);
  },
};

/** Returns the chart of a release by its name. */
export function chartNamed(name: ChartName, version: LinkerdVersion): Chart {
  return CHARTS[name](version);
}

/** Returns a chart of the current release, which is rendered without Helm, by its name. */
export function nativeChartOf(name: ChartName): RenderedChart {
  const chart = chartNamed(name, DEFAULT_LINKERD_VERSION);
  if (!isRendered(chart)) throw new Error(`nothing renders ${name} of ${DEFAULT_LINKERD_VERSION}`);
  return chart;
}
