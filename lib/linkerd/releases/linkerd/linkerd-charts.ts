import type { PinnedChart } from '../pinned-chart';

/** The charts of one release. */
export interface LinkerdCharts {
  readonly crds: PinnedChart;
  readonly cni: PinnedChart;
  readonly controlPlane: PinnedChart;
  readonly viz: PinnedChart;
  /** Absent where the release has tracing built in. */
  readonly jaeger?: PinnedChart;
  /** Absent where the chart has no service mirrors. */
  readonly multicluster?: PinnedChart;
}
