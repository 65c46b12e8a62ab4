import type { Values as ChartValues } from '../../../imports/charts/linkerd-control-plane/edge-26.8.3';
import defaults from '../../../imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import type { ControlPlaneTemplates } from '../../releases/linkerd/control-plane';
import type { Values } from '../../releases/values';
import { type ChartView, chartView } from '../chart-view';
import type { ImageValues } from '../pod/images';

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

/** The maps that the chart of some release has. */
const STRUCTURE: Values = { ...defaults, proxyInit: { ...defaults.proxyInit, image: {} } };

/** The values of linkerd-control-plane as its templates look into them. */
export type ControlPlaneView = ChartView<ChartValues, typeof defaults, (typeof WHOLE)[number]> & {
  /** Values that charts of earlier releases have. */
  readonly proxyInit: { readonly image: ImageValues };
  /** The differences of its templates from those of other releases. */
  readonly templates: ControlPlaneTemplates;
};

/** Looks at values of linkerd-control-plane that have no nulls. */
export function controlPlaneView(values: Values, templates: ControlPlaneTemplates): ControlPlaneView {
  // The schema of the chart's values, checked where values come in, promises the types.
  return { ...chartView(values, STRUCTURE, WHOLE_KEYS), templates } as unknown as ControlPlaneView;
}
