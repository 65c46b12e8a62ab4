import { renderControlPlane } from '../charts/linkerd-control-plane/control-plane';
import {
  CONTROL_PLANE_DIFFERENCES,
  CONTROL_PLANE_REFUSALS,
  type IntendedDifference,
  type IntendedRefusal,
} from '../charts/linkerd-control-plane/intended-differences';
import type { RenderContext } from '../charts/linkerd-control-plane/render-context';
import { checkControlPlaneRender } from '../charts/linkerd-control-plane/rules/render-rules';
import { VIZ_DIFFERENCES, VIZ_FIXES, VIZ_REFUSALS } from '../charts/linkerd-viz/intended-differences';
import { checkVizRender } from '../charts/linkerd-viz/rules/render-rules';
import { renderViz } from '../charts/linkerd-viz/viz';
import { renderCni } from '../charts/linkerd2-cni/cni';
import { CNI_DIFFERENCES, CNI_REFUSALS } from '../charts/linkerd2-cni/intended-differences';
import { checkCniRender } from '../charts/linkerd2-cni/render-rules';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import type { Problem } from '../problems/problem';
import { defaultsOf } from '../releases/chart-defaults';
import type { PinnedChart } from '../releases/pinned-chart';
import type { Values } from '../releases/values';
import { chartsOf, DEFAULT_LINKERD_VERSION } from '../releases/versions';
import { VIZ_NAMESPACE } from '../viz/viz-namespace';
import type { ChartName } from './chart-names';

/** A chart of the current release that is rendered without Helm. */
export interface NativeChart {
  /** The chart that is rendered. */
  readonly chart: PinnedChart;
  /** The values that the chart has of itself. */
  readonly defaults: Values;
  /** The namespace in which Linkerd's guides install it. */
  readonly namespace: string;
  /** Why values, the chart's own included, cannot be rendered. */
  readonly check: (values: Values) => readonly Problem[];
  /** The objects, for values that `check` finds nothing in. */
  readonly render: (values: Values, context: RenderContext) => readonly KubernetesObject[];
  /** The differences of the objects from the chart's, on purpose. */
  readonly differences: readonly IntendedDifference[];
  /** Values that the chart renders, and that are refused on purpose. */
  readonly refusals: readonly IntendedRefusal[];
  /** Values that the chart fails on by mistake, and that are rendered here. */
  readonly fixes: readonly IntendedRefusal[];
}

const charts = chartsOf(DEFAULT_LINKERD_VERSION);
const defaults = defaultsOf(DEFAULT_LINKERD_VERSION);

const NATIVE_CHARTS: Readonly<Record<ChartName, NativeChart>> = {
  'linkerd-control-plane': {
    chart: charts.controlPlane,
    defaults: defaults.controlPlane,
    namespace: 'linkerd',
    check: checkControlPlaneRender,
    render: renderControlPlane,
    differences: CONTROL_PLANE_DIFFERENCES,
    refusals: CONTROL_PLANE_REFUSALS,
    fixes: [],
  },
  'linkerd-viz': {
    chart: charts.viz,
    defaults: defaults.viz,
    namespace: VIZ_NAMESPACE,
    check: checkVizRender,
    render: renderViz,
    differences: VIZ_DIFFERENCES,
    refusals: VIZ_REFUSALS,
    fixes: VIZ_FIXES,
  },
  'linkerd2-cni': {
    chart: charts.cni,
    defaults: defaults.cni,
    namespace: 'linkerd-cni',
    check: checkCniRender,
    render: renderCni,
    differences: CNI_DIFFERENCES,
    refusals: CNI_REFUSALS,
    fixes: [],
  },
};

/** A chart that is rendered without Helm, by its name. */
export function nativeChartOf(chart: ChartName): NativeChart {
  return NATIVE_CHARTS[chart];
}
