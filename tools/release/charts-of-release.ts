import { RELEASES } from '../../lib/releases/linkerd/releases';
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
  if (date < newestDate) throw new Error(`${date} is before the newest known release, ${newest}`);
  return release;
}
