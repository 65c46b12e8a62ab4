import { RELEASES } from '#linkerd/releases/known-releases';
import { compareReleases } from '#linkerd/releases/lines';
import type { ChartIdentity } from '../conformance/helm-chart';
import { statedRelease } from '../conformance/releases';
import { CHARTS } from './data-edits';

/**
 * Returns the release of charts.
 *
 * @throws if a chart is missing, the charts are from several releases, or the release is already known or too old
 */
export function releaseOfCharts(charts: readonly ChartIdentity[], date: string): string {
  const [newest, newestDate] = RELEASES[0];
  const missing = CHARTS.filter((name) => !charts.some((chart) => chart.name === name));
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} missing: give all charts of the release`);
  const [release = '', ...others] = new Set(charts.map(statedRelease));
  if (others.length > 0) throw new Error(`the charts are from several releases: ${[release, ...others].join(', ')}`);
  if (RELEASES.some(([known]) => known === release)) throw new Error(`${release} is already known`);
  // The first release in the table is the default, and the next release is compared with it.
  if (release.startsWith('edge-') && compareReleases(release, newest) < 0)
    throw new Error(`${release} is older than the newest known release, ${newest}`);
  if (!isDay(date)) throw new Error(`${date} is not a day: write it like ${newestDate}`);
  if (date < newestDate) throw new Error(`${date} is before the newest known release, ${newest}`);
  return release;
}

function isDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === date;
}

/**
 * Checks the minor version and the group for a row of the table of releases.
 *
 * @throws if one of them is invalid
 */
export function checkColumns({ line, injector }: { readonly line: string; readonly injector: string }): void {
  if (!/^2\.\d+$/.test(line)) throw new Error(`--line ${line} is not a minor version: write it like ${RELEASES[0][2]}`);
  const groups = [...new Set(RELEASES.map(([, , , , group]) => group))];
  if (!groups.some((group) => group === injector))
    throw new Error(`--injector ${injector} is not a group of releases: use one of ${groups.join(', ')}`);
}
