import type { Values as ChartValues } from '../../../../imports/charts/linkerd-jaeger/stable-2.14.10';
import defaults from '../../../../imports/charts/linkerd-jaeger/stable-2.14.10.defaults.json';
import type { Values } from '../../../kubernetes/values';
import { type ChartView, chartView } from '../chart-view';

/** Maps that the templates print as they are, or walk through key by key. */
const WHOLE = [
  'commonLabels',
  'namespaceSelector',
  'nodeSelector',
  'objectSelector',
  'podLabels',
  'resources',
] as const;
const WHOLE_KEYS: ReadonlySet<string> = new Set(WHOLE);

/** The values of linkerd-jaeger as its templates look into them. */
export type JaegerView = ChartView<ChartValues, typeof defaults, (typeof WHOLE)[number]>;

/** Looks at values of linkerd-jaeger that have no nulls. */
export function jaegerView(values: Values): JaegerView {
  // The schema of the chart's values, checked where values come in, promises the types.
  return chartView(values, defaults, WHOLE_KEYS) as unknown as JaegerView;
}
