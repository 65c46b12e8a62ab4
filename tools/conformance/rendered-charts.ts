import type { RenderedChart } from '#linkerd/charts/chart';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { RENDERED_CHART_NAMES } from '#linkerd/renderers/chart-names';
import { chartNamed } from '#linkerd/renderers/native-charts';

/** The charts that are rendered here, each of the newest release that has it. */
export function renderedCharts(): readonly RenderedChart[] {
  return RENDERED_CHART_NAMES.flatMap((name) => {
    const charts = LINKERD_VERSIONS.map((version) => chartNamed(name, releaseOf(version)));
    const chart = charts.find((one) => one !== undefined);
    return chart === undefined ? [] : [chart];
  });
}
