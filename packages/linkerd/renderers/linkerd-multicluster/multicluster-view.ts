import { rememberedOfBoth } from '#base/remembered';
import type { Values } from '#base/values';
import type { Values as ChartValues, ControllersItem } from '#imports/charts/linkerd-multicluster/edge-26.8.3';
import defaults from '#imports/charts/linkerd-multicluster/edge-26.8.3.defaults.json';
import type { MulticlusterTemplates } from '../../releases/groups/multicluster';
import { type ChartView, chartView, withoutNulls } from '../chart-view';

/** Values that templates print as a whole. */
const WHOLE = [
  'commonLabels',
  'deploymentAnnotations',
  'nodeAffinity',
  'nodeSelector',
  'podAnnotations',
  'podLabels',
  'resources',
  'serviceAnnotations',
  'tolerations',
] as const;
const WHOLE_KEYS: ReadonlySet<string> = new Set(WHOLE);

/** The values of linkerd-multicluster as its templates read them. */
export type MulticlusterView = ChartView<ChartValues, typeof defaults, (typeof WHOLE)[number]> & {
  /** How the templates of the release differ from those of other releases, and how their pods get a token. */
  readonly templates: MulticlusterTemplates & { readonly apiAccess: 'volume' };
};

/** The values of the service mirror of one link, which override the common ones. */
export type LinkController = ControllersItem & { readonly link: { readonly ref: { readonly name: string } } };

/** Returns a view of linkerd-multicluster's values; null removes a key. */
export const multiclusterView = rememberedOfBoth(
  (values: Values, templates: MulticlusterTemplates): MulticlusterView => {
    // The schema of the chart's values, which is checked on input, guarantees the types.
    return {
      ...chartView(withoutNulls(values), defaults, WHOLE_KEYS),
      templates: { ...templates, apiAccess: 'volume' },
    } as unknown as MulticlusterView;
  },
);

/** Returns the service mirrors, each with the name of its link, which `checkMulticlusterRender` guarantees. */
export function controllersOf({ controllers }: MulticlusterView): readonly LinkController[] {
  return (controllers ?? []) as readonly LinkController[];
}
