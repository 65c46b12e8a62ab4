import type { Values as ChartValues } from '../../../../imports/charts/linkerd2-cni/edge-26.8.3';
import defaults from '../../../../imports/charts/linkerd2-cni/edge-26.8.3.defaults.json';
import type { Values } from '../../../kubernetes/values';
import type { CniTemplates } from '../../releases/groups/cni';
import { type ChartView, chartView } from '../chart-view';

/** Maps that the templates print as they are, or walk through key by key. */
const WHOLE = ['commonLabels', 'podLabels', 'resources', 'updateStrategy'] as const;
const WHOLE_KEYS: ReadonlySet<string> = new Set(WHOLE);

/** The values of linkerd2-cni as its templates look into them. */
export type CniView = ChartView<ChartValues, typeof defaults, (typeof WHOLE)[number]> & {
  /** The differences of its templates from those of other releases. */
  readonly templates: CniTemplates;
};

/** Looks at values of linkerd2-cni that have no nulls. */
export function cniView(values: Values, templates: CniTemplates): CniView {
  // The schema of the chart's values, checked where values come in, promises the types.
  return { ...chartView(values, defaults, WHOLE_KEYS), templates } as unknown as CniView;
}
