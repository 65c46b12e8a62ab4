import { RELEASES } from '#linkerd/releases/known-releases';
import { compareReleases } from '#linkerd/releases/lines';
import type { ChartIdentity } from '../conformance/helm-chart';
import { statedRelease } from '../conformance/releases';
import { CHARTS } from './data-edits';

/**
 * Returns the release that charts are of.
 *
 * @throws where they are not all charts of one release that is new, and not older than all others
 */
export function releaseOfCharts(charts: readonly ChartIdentity[], date: string): string {
  const [newest, newestDate] = RELEASES[0];
  const missing = CHARTS.filter((name) => !charts.some((chart) => chart.name === name));
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} of the release: give all of its charts`);
  const [release = '', ...others] = new Set(charts.map(statedRelease));
  if (others.length > 0) throw new Error(`the charts are of several releases: ${[release, ...others].join(', ')}`);
  if (RELEASES.some(([known]) => known === release)) throw new Error(`${release} is known already`);
  // The first of all is the default release, and the one that the next one is compared with.
  if (release.startsWith('edge-') && compareReleases(release, newest) < 0)
    throw new Error(`${release} is older than the newest known release, ${newest}`);
  if (!isDay(date)) throw new Error(`${date} is no day: write it as ${newestDate}`);
  if (date < newestDate) throw new Error(`${date} is before the newest known release, ${newest}`);
  return release;
}

function isDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === date;
}

/**
 * Checks that a row of the table of releases can have this minor version and this group.
 *
 * @throws where it cannot
 */
export function checkColumns({ line, injector }: { readonly line: string; readonly injector: string }): void {
  if (!/^2\.\d+$/.test(line)) throw new Error(`--line ${line} is no minor version: write it as ${RELEASES[0][2]}`);
  const groups = [...new Set(RELEASES.map(([, , , , group]) => group))];
  if (!groups.some((group) => group === injector))
    throw new Error(`--injector ${injector} is no group of releases: take ${groups.join(', ')}`);
}
