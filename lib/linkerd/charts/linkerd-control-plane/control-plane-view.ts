import type { Values as NewestValues } from '../../../../imports/charts/linkerd-control-plane/edge-26.8.3';
import defaults from '../../../../imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import type { Values as OldestValues } from '../../../../imports/charts/linkerd-control-plane/stable-2.14.10';
import { mergeValues, overlayValues, type Values } from '../../../kubernetes/values';
import type { ControlPlaneTemplates } from '../../releases/groups/control-plane';
import { type ChartView, chartView } from '../chart-view';

/** Maps that the templates print as they are, or walk through key by key. */
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

/** Values that later releases have no more. */
type FormerValues = Pick<OldestValues, 'controlPlaneTracing' | 'controlPlaneTracingNamespace'> & {
  readonly policyController?: Pick<NonNullable<OldestValues['policyController']>, 'image'>;
  readonly proxyInit?: Pick<NonNullable<OldestValues['proxyInit']>, 'image' | 'resources'>;
};

/** The maps among them that templates look into. */
const FORMER_MAPS = { policyController: { image: {} }, proxyInit: { image: {} } };

const MAPS = mergeValues(defaults as Values, FORMER_MAPS);

/** The values of linkerd-control-plane as its templates look into them: those of all releases. */
export type ControlPlaneView = ChartView<
  NewestValues & FormerValues,
  typeof defaults & typeof FORMER_MAPS,
  (typeof WHOLE)[number]
> & {
  /** The differences of its templates from those of other releases. */
  readonly templates: ControlPlaneTemplates;
};

/** Looks at values of linkerd-control-plane that have no nulls. */
export function controlPlaneView(values: Values, templates: ControlPlaneTemplates): ControlPlaneView {
  // The schema of the chart's values, checked where values come in, promises the types.
  return { ...chartView(readValues(values, templates), MAPS, WHOLE_KEYS), templates } as unknown as ControlPlaneView;
}

/** The values as the templates of a release read them: what these have built in is as they have it. */
export function readValues(values: Values, { builtIn }: ControlPlaneTemplates): Values {
  return overlayValues(values, builtIn);
}
