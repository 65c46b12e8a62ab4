import type { RenderedChart } from '#lib/charts/chart';
import type { RenderedChartName } from '#lib/cli/chart-names';
import { chartNamed } from '#lib/cli/native-charts';
import { RELEASES } from '#lib/linkerd/releases/known-releases';
import { releaseOf } from '#lib/linkerd/releases/release';

/** A chart of a release. */
export interface RenderedRelease extends RenderedChart {
  readonly release: string;
}

/** Returns a chart of all releases that have it, the newest first. */
export function renderedReleases(name: RenderedChartName): readonly RenderedRelease[] {
  return RELEASES.flatMap(([release]) => {
    const chart = chartNamed(name, releaseOf(release));
    return chart === undefined ? [] : [{ ...chart, release }];
  });
}
