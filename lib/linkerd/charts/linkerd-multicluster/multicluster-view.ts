import type {
  Values as ChartValues,
  ControllersItem,
} from '../../../../imports/charts/linkerd-multicluster/edge-26.8.3';
import defaults from '../../../../imports/charts/linkerd-multicluster/edge-26.8.3.defaults.json';
import type { Values } from '../../../kubernetes/values';
import type { MulticlusterTemplates } from '../../releases/groups/multicluster';
import { type ChartView, chartView, withoutNulls } from '../chart-view';

/** Maps that the templates print as they are. */
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

/** The values of linkerd-multicluster as its templates look into them. */
export type MulticlusterView = ChartView<ChartValues, typeof defaults, (typeof WHOLE)[number]> & {
  /** The differences of its templates from those of other releases, and how their pods come to a token. */
  readonly templates: MulticlusterTemplates & { readonly apiAccess: 'volume' };
};

/** The values of the service mirror of one link, over those that all have in common. */
export type LinkController = ControllersItem & { readonly link: { readonly ref: { readonly name: string } } };

/** Looks at values of linkerd-multicluster as its templates do; null removes a key. */
export function multiclusterView(values: Values, templates: MulticlusterTemplates): MulticlusterView {
  // The schema of the chart's values, checked where values come in, promises the types.
  return {
    ...chartView(withoutNulls(values), defaults, WHOLE_KEYS),
    templates: { ...templates, apiAccess: 'volume' },
  } as unknown as MulticlusterView;
}

/** The service mirrors, each with the name of its link, which `checkMulticlusterRender` makes sure of. */
export function controllersOf({ controllers }: MulticlusterView): readonly LinkController[] {
  return (controllers ?? []) as readonly LinkController[];
}
