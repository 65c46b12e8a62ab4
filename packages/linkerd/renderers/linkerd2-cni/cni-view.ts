import { rememberedOfBoth } from '#base/remembered';
import type { Values } from '#base/values';
import type { Values as ChartValues } from '#imports/charts/linkerd2-cni/edge-26.8.3';
import defaults from '#imports/charts/linkerd2-cni/edge-26.8.3.defaults.json';
import type { CniTemplates } from '../../releases/groups/cni';
import { type ChartView, chartView } from '../chart-view';

/** Values that templates print or iterate as a whole. */
const WHOLE = ['commonLabels', 'podLabels', 'resources', 'updateStrategy'] as const;
const WHOLE_KEYS: ReadonlySet<string> = new Set(WHOLE);

/** The values of linkerd2-cni as its templates read them. */
export type CniView = ChartView<ChartValues, typeof defaults, (typeof WHOLE)[number]> & {
  /** How the templates of the release differ from those of other releases. */
  readonly templates: CniTemplates;
};

/** Returns a view of linkerd2-cni's values, which have no nulls. */
export const cniView = rememberedOfBoth((values: Values, templates: CniTemplates): CniView => {
  // The schema of the chart's values, which is checked on input, guarantees the types.
  return { ...chartView(values, defaults, WHOLE_KEYS), templates } as unknown as CniView;
});
