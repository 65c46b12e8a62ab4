import type { RenderedChart } from '#linkerd/charts/chart';
import { RELEASES } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import type { RenderedChartName } from '#linkerd/renderers/chart-names';
import { chartNamed } from '#linkerd/renderers/native-charts';

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
