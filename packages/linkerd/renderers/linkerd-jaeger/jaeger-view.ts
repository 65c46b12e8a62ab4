import { remembered } from '#base/remembered';
import type { Values } from '#base/values';
import type { Values as ChartValues } from '#imports/charts/linkerd-jaeger/stable-2.14.10';
import defaults from '#imports/charts/linkerd-jaeger/stable-2.14.10.defaults.json';
import { type ChartView, chartView } from '../chart-view';

/** Values that templates print or iterate as a whole. */
const WHOLE = [
  'commonLabels',
  'namespaceSelector',
  'nodeSelector',
  'objectSelector',
  'podLabels',
  'resources',
] as const;
const WHOLE_KEYS: ReadonlySet<string> = new Set(WHOLE);

/** The values of linkerd-jaeger as its templates read them. */
export type JaegerView = ChartView<ChartValues, typeof defaults, (typeof WHOLE)[number]>;

/** Returns a view of linkerd-jaeger's values, which have no nulls. */
export const jaegerView = remembered((values: Values): JaegerView => {
  // The schema of the chart's values, which is checked on input, guarantees the types.
  return chartView(values, defaults, WHOLE_KEYS) as unknown as JaegerView;
});
