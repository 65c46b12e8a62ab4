import { byText } from '#base/remembered';
import { type ChartVersions, type LinkerdCharts, pinnedCharts } from './charts';
import type { ChartGroup } from './groups/chart-group';
import { CNI, type CniTemplates } from './groups/cni';
import { CONTROL_PLANE, type ControlPlaneTemplates } from './groups/control-plane';
import { CRDS, type CrdsTemplates } from './groups/crds';
import { INJECTOR, type InjectorFeatures } from './groups/injector';
import { MULTICLUSTER, type MulticlusterTemplates } from './groups/multicluster';
import { VIZ, type VizTemplates } from './groups/viz';
import { ALIASES, RELEASES, type ReleaseRow } from './known-releases';
import { compareReleases } from './lines';

/** The differences between the templates of chart linkerd-jaeger: none, since only one release has it. */
type JaegerTemplates = Readonly<Record<never, never>>;

const JAEGER: ChartGroup<JaegerTemplates> = { values: 'stable-2.14.10', templates: {} };

/** The charts of a release that differ between groups of releases. */
export interface ReleaseGroups {
  readonly controlPlane: ChartGroup<ControlPlaneTemplates>;
  readonly injector: InjectorFeatures;
  readonly viz: ChartGroup<VizTemplates>;
  readonly cni: ChartGroup<CniTemplates>;
  readonly crds: ChartGroup<CrdsTemplates>;
  /** Absent if the chart has no service mirrors. */
  readonly multicluster?: ChartGroup<MulticlusterTemplates>;
}

/** The facts about a known release. */
export interface ReleaseFacts extends ReleaseGroups {
  readonly version: string;
  /** The release date: YYYY-MM-DD. */
  readonly date: string;
  readonly line: ReleaseRow[2];
  readonly charts: LinkerdCharts;
}

/** Returns the facts about a release by its version or an alias; undefined for an unknown one. */
export const releaseFacts = byText((name): ReleaseFacts | undefined => {
  const version = Object.hasOwn(ALIASES, name) ? ALIASES[name as keyof typeof ALIASES] : name;
  const row = RELEASES.find(([known]) => known === version);
  return row && factsOf(row);
});

/**
 * Returns the facts about a release. For an unknown release, they are those of the newest known release that is not
 * newer; undefined if there is none.
 */
export function nearestFacts(release: string): ReleaseFacts | undefined {
  const [nearest] = RELEASES.find(([known]) => compareReleases(known, release) <= 0) ?? [];
  return releaseFacts(release) ?? (nearest === undefined ? undefined : releaseFacts(nearest));
}

function factsOf([
  version,
  date,
  line,
  controlPlane,
  injector,
  viz,
  cni,
  crds,
  multicluster,
]: ReleaseRow): ReleaseFacts {
  const groups: ReleaseGroups = {
    controlPlane: CONTROL_PLANE[controlPlane],
    injector: INJECTOR[injector],
    viz: VIZ[viz],
    cni: CNI[cni],
    crds: CRDS[crds],
    ...(multicluster === null ? {} : { multicluster: MULTICLUSTER[multicluster] }),
  };
  return { version, date, line, ...groups, charts: chartsOf(version, groups) };
}

/**
 * Pins the charts of a release, with the templates and values of these groups.
 *
 * @param versions of the charts, if they do not follow from that of the release
 */
export function chartsOf(
  version: string,
  { controlPlane, viz, cni, crds, multicluster }: ReleaseGroups,
  versions?: ChartVersions,
): LinkerdCharts {
  const valuesOf = {
    controlPlane: controlPlane.values,
    viz: viz.values,
    cni: cni.values,
    crds: crds.values,
    jaeger: JAEGER.values,
    multicluster: multicluster?.values,
  };
  return pinnedCharts(version, valuesOf, versions);
}
