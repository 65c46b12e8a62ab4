import { showValue } from '#base/value-path';
import { isMap, valueAt } from '#base/values';
import { CHART_OF_PART, type LinkerdPart } from '#linkerd/releases/charts';
import { type LinkerdVersion, RELEASES } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import type { HelmSource, OtherSource } from './sources/source';
import { FILLED } from './variables';
import { compareVersions, versionParts, versionRange } from './version-range';

/** Values that contain the release of an image. */
const IMAGE_VERSIONS = [
  'linkerdVersion',
  'controllerImageVersion',
  'proxy.image.version',
  'policyController.image.version',
  'webhook.image.version',
  ...['metricsAPI', 'tap', 'tapInjector', 'dashboard'].map((component) => `${component}.image.tag`),
];

/**
 * Returns the release of the images in the values, or else of the chart versions; undefined if it is not known. The
 * control plane takes precedence over other charts.
 */
export function releaseOfSources(
  sources: readonly Pick<HelmSource, 'chart' | 'values' | 'version'>[],
): LinkerdVersion | undefined {
  const isFirst = ({ chart }: Pick<HelmSource, 'chart'>) => chart === CHART_OF_PART.controlPlane;
  const ordered = [...sources.filter(isFirst), ...sources.filter((source) => !isFirst(source))];
  const images = ordered.flatMap(({ values }) => IMAGE_VERSIONS.map((path) => valueAt(values, path)));
  const named = images.map((version) => RELEASES.find(([known]) => known === version)?.[0]);
  return (
    named.find((version) => version !== undefined) ??
    ordered.map(releaseOfChart).find((version) => version !== undefined)
  );
}

/** Returns the newest release in a range, or the known release of the same stable minor version. */
function releaseOfChart({ chart, version = '' }: Pick<HelmSource, 'chart' | 'version'>): LinkerdVersion | undefined {
  const isIn = version.trim() === '' ? undefined : versionRange(version);
  if (isIn === undefined) return undefined;
  const known = versionsOf(chart ?? CHART_OF_PART.controlPlane);
  const [major, minor] = versionParts(version) ?? [];
  return (
    known.find((one) => isIn(one.version)) ??
    known.find((one) => one.name.startsWith('stable-') && one.version.startsWith(`${major}.${minor}.`))
  )?.name;
}

/** Returns the versions of a chart, the newest first. */
function versionsOf(chart: string): readonly { readonly name: LinkerdVersion; readonly version: string }[] {
  return RELEASES.flatMap(([name]) => {
    const pinned = Object.values(releaseOf(name).charts).find((each) => isMap(each) && each.name === chart);
    return pinned === undefined ? [] : [{ name, version: pinned.version }];
  });
}

/** The release of a chart, or else the closest known release. */
export type ChartRelease =
  | { readonly release: LinkerdVersion }
  | { readonly closest: LinkerdVersion }
  /** The version in words, if it is newer than all known versions, or not a version. */
  | { readonly unknown: string };

/** Returns the release of a chart of Linkerd. For a range, returns the newest known release. */
export function releaseOfPart({ values, version = '*' }: OtherSource, part: LinkerdPart): ChartRelease {
  const chart = CHART_OF_PART[part];
  const release = releaseOfSources([{ chart: chart as HelmSource['chart'], values, version }]);
  if (release !== undefined) return { release };
  const unknown = `version ${showValue(version)} of ${chart}`;
  const exact = versionParts(version);
  const known = versionsOf(chart);
  if (exact === undefined) {
    const [closest] = known;
    return FILLED.test(version) && closest !== undefined ? { closest: closest.name } : { unknown };
  }
  const isOlder = (one: { readonly version: string }) => compareVersions(versionParts(one.version) ?? exact, exact) < 0;
  const [newest] = known;
  if (newest === undefined || isOlder(newest))
    return { unknown: `${unknown}; the newest known version is ${newest?.version}` };
  return { closest: (known.find(isOlder) ?? known.at(-1) ?? newest).name };
}
