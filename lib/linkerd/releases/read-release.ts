import { checkImageTag } from '../../../operator/api/injection/text-forms';
import { ChartError } from '../../helm/chart/chart-error';
import { describeProblem, type Problem } from '../../kubernetes/findings/problem';
import { showValue } from '../../kubernetes/value-path';
import { LINKERD_FINDINGS } from '../findings';
import type { ChartFolder } from './chart-folder';
import { CHART_OF_PART, type ChartVersions, chartVersions, LINKERD_PARTS, type LinkerdCharts } from './charts';
import { factsInCharts } from './facts-in-charts';
import { RELEASES } from './known-releases';
import { compareReleases, lineOf } from './lines';
import { ReleaseArchives } from './release-archives';
import { chartsOf, type ReleaseFacts, type ReleaseGroups, releaseFacts } from './release-facts';

/** What the charts of a release do not say. */
interface ReadReleaseOptions {
  /** The facts of the known release whose injector it has; by default those of the closest one. */
  readonly like?: ReleaseFacts | undefined;
  readonly chartVersions?: Readonly<Record<string, string>> | undefined;
  readonly proxyVersion?: string | undefined;
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

/** Checks what a release from charts is described by. */
export function checkReleaseArguments(
  version: unknown,
  { chartVersions = {}, proxyVersion }: Pick<ReadReleaseOptions, 'chartVersions' | 'proxyVersion'>,
): readonly Problem[] {
  return [
    ...checkVersion(version, chartVersions),
    ...checkChartNames(chartVersions),
    ...checkProxyVersion(proxyVersion),
  ];
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

/** The names of edge releases, which determine the versions of their charts. */
const EDGE = /^edge-[1-9]\d\.(?:[1-9]|1[0-2])\.[1-9]\d*$/;

function versionsOf(version: string, given: Readonly<Record<string, string>>): ChartVersions {
  const known = chartVersions(version);
  const own = LINKERD_PARTS.flatMap((part) => {
    const { [CHART_OF_PART[part]]: chart } = given;
    return chart === undefined ? [] : [[part, chart] as const];
  });
  return { ...known, ...(EDGE.test(version) && { jaeger: known.crds }), ...Object.fromEntries(own) };
}

/** The charts of which a release without rules for its versions must say them. */
const NEEDED = ['linkerd-crds', 'linkerd-control-plane'];

function checkVersion(version: unknown, given: Readonly<Record<string, string>>): readonly Problem[] {
  if (typeof version !== 'string' || lineOf(version) === undefined) {
    return [LINKERD_FINDINGS.releaseChartsRefusedName({ version: showValue(version) })];
  }
  if (EDGE.test(version) || releaseFacts(version) !== undefined) return [];
  const missing = NEEDED.filter((chart) => given[chart] === undefined);
  if (missing.length === 0) return [];
  return [LINKERD_FINDINGS.releaseChartsRefusedVersions({ version, missing: missing.join(' and ') })];
}

function checkChartNames(given: Readonly<Record<string, string>>): readonly Problem[] {
  const known = Object.values(CHART_OF_PART);
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((chart) => LINKERD_FINDINGS.releaseChartsRefusedChart({ chart, known: known.join(', ') }));
}

function checkProxyVersion(version: unknown): readonly Problem[] {
  if (version === undefined) return [];
  if (typeof version === 'string') return checkImageTag('proxyVersion', version);
  return [LINKERD_FINDINGS.releaseChartsRefusedProxyVersion({ value: showValue(version) })];
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
