import type { Values as ChartValues } from '../../../../imports/charts/linkerd-viz/edge-26.8.3';
import defaults from '../../../../imports/charts/linkerd-viz/edge-26.8.3.defaults.json';
import { mergeValues, type Values } from '../../../kubernetes/values';
import type { VizTemplates } from '../../releases/groups/viz';
import { type ChartView, chartView, withoutNulls } from '../chart-view';

/** Maps that the templates print as they are, or walk through key by key. */
const WHOLE = [
  'annotations',
  'args',
  'commonLabels',
  'globalConfig',
  'labels',
  'namespaceSelector',
  'nodeSelector',
  'objectSelector',
  'podAnnotations',
  'podLabels',
  'resources',
] as const;
const WHOLE_KEYS: ReadonlySet<string> = new Set(WHOLE);

/** The values of linkerd-viz as its templates look into them. */
export type VizView = ChartView<ChartValues, typeof defaults, (typeof WHOLE)[number]> & {
  /** The differences of its templates from those of other releases. */
  readonly templates: VizTemplates;
};

/** Looks at values of linkerd-viz as its templates do; null removes a key. */
export function vizView(values: Values, templates: VizTemplates): VizView {
  // The schema of the chart's values, checked where values come in, promises the types.
  const read = withoutNulls(mergeValues(values, templates.builtInSettings));
  return { ...chartView(read, defaults, WHOLE_KEYS), templates } as unknown as VizView;
}
