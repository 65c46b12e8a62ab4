import { ChartError } from '../../helm/chart/chart-error';
import { describeProblem } from '../../kubernetes/findings/problem';
import { showValue } from '../../kubernetes/value-path';
import type { ChartFolder } from './chart-folder';
import { CHART_OF_PART, type ChartVersions, chartVersions, LINKERD_PARTS, type LinkerdCharts } from './charts';
import { factsInCharts } from './facts-in-charts';
import { RELEASES } from './known-releases';
import { compareReleases } from './lines';
import { ReleaseArchives } from './release-archives';
import { checkReleaseArguments, isEdgeRelease, type ReleaseArguments } from './release-arguments';
import { chartsOf, type ReleaseFacts, type ReleaseGroups, releaseFacts } from './release-facts';

/** What the charts of a release do not say. */
interface ReadReleaseOptions extends ReleaseArguments {
  /** The facts of the known release whose injector it has; by default those of the closest one. */
  readonly like?: ReleaseFacts | undefined;
}

/** A release, as its charts have it. */
interface ReadRelease {
  readonly version: string;
  /** The known release whose injector it has. */
  readonly closest: string;
  readonly charts: LinkerdCharts;
  readonly groups: ReleaseGroups;
  readonly archives: ReleaseArchives;
  readonly proxyVersion?: string | undefined;
  readonly isInjectorAssumed: boolean;
}

/**
 * Reads a release from its charts.
 *
 * @throws RangeError for arguments that are wrong
 * @throws ChartError if a chart that it needs is missing or damaged, or of another release
 */
export function readRelease(
  folder: ChartFolder,
  version: string,
  { like, chartVersions: given = {}, proxyVersion }: ReadReleaseOptions,
): ReadRelease {
  const problems = checkReleaseArguments(version, { chartVersions: given, proxyVersion });
  if (problems.length > 0) throw new RangeError(problems.map(describeProblem).join('\n'));
  const known = like ?? closestRelease(version);
  const pinned = chartsOf(version, known, versionsOf(version, given));
  const archives = new ReleaseArchives(folder, pinned);
  checkRelease(archives, version);
  const groups = factsInCharts(version, archives, known);
  const { jaeger, multicluster, ...always } = pinned;
  const charts: LinkerdCharts = {
    ...always,
    ...(jaeger !== undefined && groups.controlPlane.templates.tracing === 'extension' && { jaeger }),
    ...(multicluster !== undefined && groups.multicluster !== undefined && { multicluster }),
  };
  const isInjectorAssumed = like === undefined && known.version !== version;
  return {
    version,
    closest: known.version,
    charts: Object.freeze(charts),
    groups,
    archives,
    proxyVersion,
    isInjectorAssumed,
  };
}

/** Returns the newest known release that is not newer, and of the same kind; the oldest edge for older edges. */
function closestRelease(version: string): ReleaseFacts {
  const known = RELEASES.map(([name]) => name).filter((name) => isEdge(name) === isEdge(version));
  const closest = known.find((name) => compareReleases(name, version) <= 0) ?? known.at(-1);
  const facts = closest && releaseFacts(closest);
  if (facts === undefined) throw new RangeError(`no release is known that is like ${version}`);
  return facts;
}

function isEdge(version: string): boolean {
  return version.startsWith('edge-');
}

function versionsOf(version: string, given: Readonly<Record<string, string>>): ChartVersions {
  const known = chartVersions(version);
  const own = LINKERD_PARTS.flatMap((part) => {
    const { [CHART_OF_PART[part]]: chart } = given;
    return chart === undefined ? [] : [[part, chart] as const];
  });
  return { ...known, ...(isEdgeRelease(version) && { jaeger: known.crds }), ...Object.fromEntries(own) };
}

/** Checks that the control plane's chart is that of the release. */
function checkRelease(archives: ReleaseArchives, version: string): void {
  const { linkerdVersion } = archives.need('controlPlane').defaults;
  if (linkerdVersion === version) return;
  throw new ChartError({
    chart: CHART_OF_PART.controlPlane,
    file: 'values.yaml',
    subject: 'linkerdVersion',
    reason: `it is ${showValue(linkerdVersion)}, but the release is ${version}`,
    remedy: 'Name the release of the charts, or pull the charts of the release',
  });
}
