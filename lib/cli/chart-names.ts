/** The charts that can be rendered. */
export const CHART_NAMES = ['linkerd-control-plane', 'linkerd-viz', 'linkerd2-cni'] as const;

/** Name of a chart that can be rendered. */
export type ChartName = (typeof CHART_NAMES)[number];
