/** The charts that all releases have. */
export const CHART_NAMES = ['linkerd-control-plane', 'linkerd-viz', 'linkerd2-cni'] as const;

/** Name of a chart that all releases have. */
export type ChartName = (typeof CHART_NAMES)[number];

/** The charts that can be rendered, including those that only some releases have. */
export const RENDERED_CHART_NAMES = [...CHART_NAMES, 'linkerd-jaeger', 'linkerd-multicluster'] as const;

/** Name of a chart that can be rendered. */
export type RenderedChartName = (typeof RENDERED_CHART_NAMES)[number];
