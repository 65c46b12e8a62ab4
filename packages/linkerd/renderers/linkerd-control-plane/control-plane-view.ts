import { rememberedOfBoth } from '#base/remembered';
import { mergeValues, overlayValues, type Values } from '#base/values';
import type { Values as NewestValues } from '#imports/charts/linkerd-control-plane/edge-26.8.3';
import defaults from '#imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import type { Values as OldestValues } from '#imports/charts/linkerd-control-plane/stable-2.14.10';
import type { ControlPlaneTemplates } from '../../releases/groups/control-plane';
import { type ChartView, chartView } from '../chart-view';

/** Values that templates print or iterate as a whole. */
const WHOLE = [
  'commonLabels',
  'deploymentStrategy',
  'inbound',
  'labels',
  'meshedHttp2ClientProtobuf',
  'namespaceSelector',
  'nodeSelector',
  'objectSelector',
  'outbound',
  'podAnnotations',
  'podLabels',
  'resources',
  'securityContext',
] as const;
const WHOLE_KEYS: ReadonlySet<string> = new Set(WHOLE);

type FormerValues = Pick<OldestValues, 'controlPlaneTracing' | 'controlPlaneTracingNamespace'> & {
  readonly policyController?: Pick<NonNullable<OldestValues['policyController']>, 'image'>;
  readonly proxyInit?: Pick<NonNullable<OldestValues['proxyInit']>, 'image' | 'resources'>;
};

const FORMER_MAPS = { policyController: { image: {} }, proxyInit: { image: {} } };

const MAPS = mergeValues(defaults as Values, FORMER_MAPS);

/** The values of linkerd-control-plane as its templates read them, for all releases. */
export type ControlPlaneView = ChartView<
  NewestValues & FormerValues,
  typeof defaults & typeof FORMER_MAPS,
  (typeof WHOLE)[number]
> & {
  /** How the templates of the release differ from those of other releases. */
  readonly templates: ControlPlaneTemplates;
};

/** Returns a view of linkerd-control-plane's values, which have no nulls. */
export const controlPlaneView = rememberedOfBoth(
  (values: Values, templates: ControlPlaneTemplates): ControlPlaneView => {
    // The schema of the chart's values, which is checked on input, guarantees the types.
    return { ...chartView(readValues(values, templates), MAPS, WHOLE_KEYS), templates } as unknown as ControlPlaneView;
  },
);

/**
 * Returns the values as the templates of a release read them. Settings that are built into the templates replace
 * values.
 */
export function readValues(values: Values, { builtIn }: ControlPlaneTemplates): Values {
  return overlayValues(values, builtIn);
}
