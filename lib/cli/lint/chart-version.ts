import { compareVersions, versionParts, versionRange } from '../../charts/version-range';
import { CHART_OF_PART, type LinkerdPart } from '../../linkerd/releases/charts';
import { type LinkerdVersion, RELEASES } from '../../linkerd/releases/known-releases';
import { releaseOf } from '../../linkerd/releases/release';
import { releaseOfSources } from '../repository/release-of-sources';
import type { HelmSource, OtherSource } from '../repository/sources/source';

/** What is known of the release of a chart: the release, or else the closest known one. */
export type ChartRelease =
  | { readonly release: LinkerdVersion }
  | { readonly closest: LinkerdVersion }
  | { readonly unknown: string };

/** Returns the release of a chart of Linkerd. Of a range, it is the newest known one. */
export function releaseOfPart({ values, version = '' }: OtherSource, part: LinkerdPart): ChartRelease {
  const exact = versionParts(version);
  const chart = CHART_OF_PART[part] as HelmSource['chart'];
  const release = releaseOfSources([{ chart, values, version: exact && version }]);
  if (release !== undefined) return { release };
  const known = RELEASES.flatMap(([name]) => {
    const pinned = releaseOf(name).charts[part];
    return pinned === undefined ? [] : [{ name, version: pinned.version }];
  });
  if (exact === undefined) {
    const newest = known.find((one) => versionRange(version)?.(one.version));
    return newest === undefined ? { unknown: version } : { release: newest.name };
  }
  const older = known.find((one) => compareVersions(versionParts(one.version) ?? exact, exact) < 0);
  const closest = (older ?? known.at(-1))?.name;
  return closest === undefined ? { unknown: version } : { closest };
}
