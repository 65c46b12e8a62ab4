import { rememberedOfBoth } from '#base/remembered';
import { mergeValues, type Values } from '#base/values';
import type { Values as ChartValues } from '#imports/charts/linkerd-viz/edge-26.8.3';
import defaults from '#imports/charts/linkerd-viz/edge-26.8.3.defaults.json';
import type { VizTemplates } from '../../releases/groups/viz';
import { type ChartView, chartView, withoutNulls } from '../chart-view';

/** Values that templates print or iterate as a whole. */
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

/** The values of linkerd-viz as its templates read them. */
export type VizView = ChartView<ChartValues, typeof defaults, (typeof WHOLE)[number]> & {
  /** How the templates of the release differ from those of other releases. */
  readonly templates: VizTemplates;
};

/** Returns a view of linkerd-viz' values; null removes a key. */
export const vizView = rememberedOfBoth((values: Values, templates: VizTemplates): VizView => {
  // The schema of the chart's values, which is checked on input, guarantees the types.
  const read = withoutNulls(mergeValues(values, templates.builtInSettings));
  return { ...chartView(read, defaults, WHOLE_KEYS), templates } as unknown as VizView;
});
