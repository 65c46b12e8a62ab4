import type { Values as ChartValues } from '../../../imports/charts/linkerd-control-plane/edge-26.8.3';
import defaults from '../../../imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import type { Values } from '../../releases/values';
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

/** The values of linkerd-control-plane as its templates look into them. */
export type ControlPlaneView = ChartView<ChartValues, typeof defaults, (typeof WHOLE)[number]>;

/** Looks at values of linkerd-control-plane that have no nulls. */
export function controlPlaneView(values: Values): ControlPlaneView {
  // The schema of the chart's values, checked where values come in, promises the types.
  return chartView(values, defaults, WHOLE_KEYS) as unknown as ControlPlaneView;
}
