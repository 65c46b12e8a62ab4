import type { RenderedChart } from '#lib/charts/chart';
import { RENDERED_CHART_NAMES } from '#lib/cli/chart-names';
import { chartNamed } from '#lib/cli/native-charts';
import { LINKERD_VERSIONS } from '#lib/linkerd/releases/known-releases';
import { releaseOf } from '#lib/linkerd/releases/release';

/** The charts that are rendered here, each of the newest release that has it. */
export function renderedCharts(): readonly RenderedChart[] {
  return RENDERED_CHART_NAMES.flatMap((name) => {
    const charts = LINKERD_VERSIONS.map((version) => chartNamed(name, releaseOf(version)));
    const chart = charts.find((one) => one !== undefined);
    return chart === undefined ? [] : [chart];
  });
}
