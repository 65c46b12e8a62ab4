import { describeProblem } from '#base/findings/problem';
import type { ChartFolder } from '../charts/chart-folder';
import { CHART_OF_PART, type ChartVersions, chartVersions, LINKERD_PARTS, type LinkerdCharts } from './charts';
import { factsInCharts } from './facts-in-charts';
import { RELEASES } from './known-releases';
import { compareReleases } from './lines';
import { ReleaseArchives } from './release-archives';
import { checkReleaseArguments, determinesCharts, type ReleaseArguments } from './release-arguments';
import { chartsOf, type ReleaseFacts, type ReleaseGroups, releaseFacts } from './release-facts';

interface ReadReleaseOptions extends ReleaseArguments {
  /** The facts of the known release with the same injector; by default of the closest release. */
  readonly like?: ReleaseFacts | undefined;
}

interface ReadRelease {
  readonly version: string;
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
 * @throws RangeError for invalid arguments
 * @throws ChartError if a chart that it needs is missing or damaged, or of another release
 */
export function readRelease(
  folder: ChartFolder,
  version: string,
  { like, ...options }: ReadReleaseOptions,
): ReadRelease {
  const problems = checkReleaseArguments(version, options);
  if (problems.length > 0) throw new RangeError(problems.map(describeProblem).join('\n'));
  const known = like ?? closestRelease(version);
  const pinned = chartsOf(version, known, versionsOf(version, options.chartVersions ?? {}));
  const archives = new ReleaseArchives(folder, pinned);
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
    proxyVersion: options.proxyVersion,
    isInjectorAssumed,
  };
}

/**
 * Returns the newest known release of the same kind, edge or stable, that is not newer; else the oldest of the kind.
 */
function closestRelease(version: string): ReleaseFacts {
  const known = RELEASES.map(([name]) => name).filter((name) => isEdge(name) === isEdge(version));
  const closest = known.find((name) => compareReleases(name, version) <= 0) ?? known.at(-1);
  const facts = closest && releaseFacts(closest);
  if (facts === undefined) throw new RangeError(`no known release is like ${version}`);
  return facts;
}

function isEdge(version: string): boolean {
  return version.startsWith('edge-');
}

/** Empty versions, for charts whose version neither the release nor `chartVersions` determines. */
const NONE = { crds: '', cni: '', controlPlane: '', viz: '', jaeger: '', multicluster: '' };

function versionsOf(version: string, given: Readonly<Record<string, string>>): ChartVersions {
  const { repository, ...known } = chartVersions(version);
  const own = LINKERD_PARTS.flatMap((part) => {
    const { [CHART_OF_PART[part]]: chart } = given;
    return chart === undefined ? [] : [[part, chart] as const];
  });
  // The charts of an edge release may still have tracing as an extension.
  const determined = determinesCharts(version) ? { jaeger: known.crds, ...known } : NONE;
  return { repository, ...determined, ...Object.fromEntries(own) };
}
