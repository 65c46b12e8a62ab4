import { posix } from 'node:path';
import { describeProblem, type Problem } from '#base/findings/problem';
import { goDurationMs } from '#base/go-duration';
import { grouped } from '#base/grouped';
import { HOUR, SECOND } from '#base/time-units';
import { mergeValues, type Value, type Values, valueAt } from '#base/values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { CLI_FINDINGS } from '../../findings';
import type { PlacedMap } from '../../repository/documents';
import { releaseOfSources } from '../../repository/release-of-sources';
import { chartsOfSources } from '../../repository/sources/charts-of-sources';
import { type HelmSource, type ManagerChart, managersIn, text } from '../../repository/sources/source';
import { isReferenced } from '../../repository/sources/values-from';
import { commonFolder, isIn, worldsOf } from '../../repository/worlds';
import { type ChartToMigrate, migrateAll } from '../migrate';
import type {
  MigratedPart,
  MigratedProgram,
  Migration,
  MigrationOptions,
  MigrationProblems,
  Surroundings,
} from '../migration';
import { leftOutRemark } from '../program';
import { managerOf, manifestNotes, meshingOf, renderedNotes, renderedObjects, unmeshedNotes } from './beside-charts';
import { pkiIn } from './pki';
import { chartsOf, type FoundObject, type FoundReleases, type RepositoryContent } from './read-repository';

/** Facts that the files do not contain. */
export interface RepositoryOptions extends Pick<MigrationOptions, 'existingCertManager' | 'newAnchor' | 'now'> {
  /** By default, the release of the images and charts. */
  readonly release?: LinkerdVersion | undefined;
  readonly usualRelease: LinkerdVersion;
  /** The folder, or file, of the cluster; absent if there is only one. */
  readonly cluster?: string | undefined;
  /** The given folders. `cluster` may be relative to one of them. */
  readonly folders?: readonly string[];
}

/** The program for a repository, and its inputs. */
export type RepositoryMigration =
  | (MigratedProgram & {
      /** Folders of other clusters with the same program. */
      readonly sameIn: readonly string[];
      /** The cluster domain in the values; absent for the default. */
      readonly clusterDomain: string | undefined;
      /** The objects that the program replaces. */
      readonly replaced: readonly PlacedMap[];
      readonly release: LinkerdVersion;
    })
  | MigrationProblems;

/** Returns one program for the mesh of a repository. */
export function migrateRepository(content: RepositoryContent, options: RepositoryOptions): RepositoryMigration {
  const clusters = clustersOf(content.releases);
  if (clusters.every(({ releases }) => releases.every(({ read }) => read.sources.length === 0))) {
    const hints = content.releases.flatMap(({ read }) => read.notes);
    const rendered = renderedNotes(renderedObjects(content.objects));
    const refusal =
      content.valuesFiles.length === 0
        ? [CLI_FINDINGS.releaseRefusedNoChart({ place: 'the folder' })]
        : content.valuesFiles.map((one) => CLI_FINDINGS.releaseRefusedValuesFile(one));
    return { problems: [...refusal, ...hints, ...rendered] };
  }
  const { cluster } = options;
  const chosen = cluster === undefined ? clusters : clustersNamed(clusters, cluster, options.folders ?? []);
  const folders = clusters.flatMap(({ folder }) => folder ?? []);
  if (chosen.length === 0) {
    return { problems: [CLI_FINDINGS.clusterRefusedUnknown({ cluster: cluster ?? '', folders: folders.join(', ') })] };
  }
  const all = chosen.map((one) => migrateCluster(one, content, options));
  const [migration, ...others] = all;
  if (migration === undefined || !others.every((other) => textOf(other) === textOf(migration))) {
    const several = CLI_FINDINGS.clusterRefusedSeveral({ folders: folders.join(', '), first: folders[0] ?? '' });
    return { problems: [several, ...distinct(all.flatMap((one) => ('problems' in one ? one.problems : [])))] };
  }
  return 'problems' in migration ? migration : { ...migration, sameIn: others.length > 0 ? folders : [] };
}

interface ReleasesOfCluster {
  /** The folder, or file, that only this cluster has; absent if there is one cluster. */
  readonly folder?: string;
  readonly releases: readonly FoundReleases[];
  /** Whether the releases and objects of a file can belong to this cluster. */
  readonly has: (home: string) => boolean;
}

/** Returns the clusters of a repository: folders that install the same chart are different clusters. */
function clustersOf(releases: readonly FoundReleases[]): readonly ReleasesOfCluster[] {
  const items = releases.flatMap((found) => {
    const charts = found.read.sources.flatMap(({ chart, isOverlay }) => (isOverlay === true ? [] : (chart ?? [])));
    return charts.length === 0 ? [] : charts.map((chart) => ({ found, file: found.home, object: chart, makes: [] }));
  });
  const worlds = worldsOf(items).map((world) => new Set(world.map(({ found }) => found)));
  const begins = worlds.map((world) => folderOf([...world].filter((one) => worlds.some((other) => !other.has(one)))));
  const homes = begins.map((home, index) => home && outermost(home, begins.toSpliced(index, 1)));
  const folders = new Set(homes);
  return worlds.map((world, index) => {
    const folder = homes[index];
    const has = (home: string) => ancestors(home).every((each) => each === folder || !folders.has(each));
    const all = releases.filter((one) => world.has(one) || (isBeside(one) && has(one.home)));
    return { ...(folder !== undefined && { folder }), releases: all, has };
  });
}

/** Returns a path and its parent folders. */
function ancestors(path: string): readonly string[] {
  const folder = posix.dirname(path);
  return folder === path || folder === '.' ? [path] : [path, ...ancestors(folder)];
}

/** Overlays, cert-manager and trust-manager do not distinguish clusters. */
function isBeside({ read }: FoundReleases): boolean {
  return read.sources.every(({ isOverlay }) => isOverlay === true);
}

function folderOf(releases: readonly FoundReleases[]): string | undefined {
  const [first, ...others] = releases.map(({ home }) => home);
  return first === undefined ? undefined : others.reduce(commonFolder, first);
}

/** Returns the topmost folder that contains none of the other clusters. */
function outermost(home: string, others: readonly (string | undefined)[]): string {
  const folder = posix.dirname(home);
  const isShared =
    folder === '.' || folder === '/' || others.some((other) => other !== undefined && isIn(other, folder));
  return isShared ? home : outermost(folder, others);
}

function distinct(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [describeProblem(problem), problem])).values()];
}

/** Finds clusters by a path, relative to the working folder or to a given folder. */
function clustersNamed(
  clusters: readonly ReleasesOfCluster[],
  name: string,
  folders: readonly string[],
): readonly ReleasesOfCluster[] {
  const paths = [name, ...folders.map((folder) => posix.join(folder, name))];
  return paths.map((path) => clustersAt(clusters, posix.normalize(path))).find(({ length }) => length > 0) ?? [];
}

/** Returns the cluster that contains a path, or the clusters below the path. */
function clustersAt(clusters: readonly ReleasesOfCluster[], path: string): readonly ReleasesOfCluster[] {
  const whole = path.replace(/\/+$/, '');
  const around = clusters.filter(({ folder }) => folder !== undefined && `${whole}/`.startsWith(`${folder}/`));
  return around.length > 0 ? around : clusters.filter(({ folder }) => folder?.startsWith(`${whole}/`));
}

function textOf(migration: RepositoryMigration): string {
  return 'program' in migration ? migration.program : JSON.stringify(migration.problems);
}

function migrateCluster(
  { releases, has }: ReleasesOfCluster,
  content: RepositoryContent,
  options: RepositoryOptions,
): RepositoryMigration {
  const objects = content.objects.filter(({ home }) => has(home));
  const sources = releases.flatMap(({ read }) => read.sources);
  const merged = chartsOfSources(sources, undefined);
  const charts = merged.charts.map((chart): ChartToMigrate => ({ ...chart, notes: notesOf(chart.chart, releases) }));
  const release = options.release ?? releaseOfSources(sources as readonly HelmSource[]) ?? options.usualRelease;
  const { surroundings, notes } = surroundingsOf(charts, releases, objects);
  const meshing = meshingOf(objects, namespacesOf(charts, surroundings));
  const rendered = renderedObjects(objects);
  const manifests = [
    ...unmeshedNotes(objects),
    ...manifestNotes(objects.filter((one) => !rendered.includes(one))),
    ...renderedNotes(rendered),
  ];
  const general = releases.filter((one) => chartsOf(one).length === 0).flatMap(({ read }) => read.notes);
  const { existingCertManager, newAnchor, now } = options;
  const migration: Migration = migrateAll(
    charts,
    { release: releaseOf(release), surroundings, existingCertManager, newAnchor, now },
    (parts) => arranged(parts, meshing?.part, [...content.notes, ...general, ...manifests]),
  );
  const refused = [...merged.problems, ...('problems' in migration ? migration.problems : [])];
  if ('problems' in migration || refused.length > 0) {
    const further = [...content.notes, ...general, ...notes, ...manifests];
    const own = 'problems' in migration ? migration.notes : migration.warnings;
    return { problems: refused, notes: [...further, ...(own ?? [])] };
  }
  const meshed = meshing?.namespaces ?? [];
  const { without } = migration;
  const isReplaced = ({ read }: FoundReleases) =>
    read.sources.length === 0 || !read.sources.every(({ chart }) => chart !== undefined && without.includes(chart));
  return {
    ...migration,
    warnings: [
      ...content.notes,
      ...general,
      ...notes,
      ...migration.warnings,
      ...(meshing?.part.warnings ?? []),
      ...manifests,
    ],
    sameIn: [],
    clusterDomain: clusterDomainOf(charts),
    replaced: [
      ...replacedBy(releases.filter(isReplaced), objects),
      ...surroundings.pki.replaced,
      ...meshed,
      ...rendered,
    ],
    release,
  };
}

/** Returns the objects of releases, and the objects from which these take values. */
function replacedBy(releases: readonly FoundReleases[], objects: readonly FoundObject[]): readonly PlacedMap[] {
  const made = releases.flatMap(({ object }) => object ?? []);
  const data = made.map((object) => object.data);
  return [...made, ...objects.filter((object) => isReferenced(object.data, data))];
}

/** Returns the notes of the releases with this chart, for the construct that replaces it. */
function notesOf(chart: string, releases: readonly FoundReleases[]): readonly Problem[] {
  return releases.filter((one) => chartsOf(one)[0] === chart).flatMap(({ read }) => read.notes);
}

/** Adds the meshing of namespaces, if the program creates the mesh. Puts remarks above their constructs. */
function arranged(
  parts: readonly MigratedPart[],
  meshing: MigratedPart | undefined,
  others: readonly Problem[],
): readonly MigratedPart[] {
  const isWhole = parts.some(({ variable }) => variable === 'controlPlane');
  const all = meshing !== undefined && isWhole ? [...parts, meshing] : parts;
  return all.map((part, index) => ({
    ...part,
    above: [...part.remarks, ...(part.above ?? [])],
    remarks: index === all.length - 1 ? others.map(leftOutRemark) : [],
  }));
}

const MANAGERS: readonly ManagerChart[] = ['cert-manager', 'trust-manager'];

function surroundingsOf(
  charts: readonly ChartToMigrate[],
  releases: readonly FoundReleases[],
  objects: readonly FoundObject[],
): { readonly surroundings: Surroundings; readonly notes: readonly Problem[] } {
  const byChart = grouped(
    releases.flatMap((found) => managersIn(found.read).map((source) => [source.chart, { found, source }] as const)),
  );
  const managers = MANAGERS.flatMap((chart) => {
    const [first, ...others] = byChart.get(chart) ?? [];
    if (first === undefined) return [];
    const elsewhere = others.filter(({ source: { place } }) => place !== first.source.place);
    const further = elsewhere.map(({ source: { place } }) => CLI_FINDINGS.notMigratedSetting({ place }));
    const home = byChart.get('cert-manager')?.[0]?.source.namespace ?? 'cert-manager';
    return [[chart, managerOf(first.source, [...first.found.read.notes, ...further], home)] as const];
  });
  const certManager = managers.find(([chart]) => chart === 'cert-manager')?.[1].manager;
  const controlPlane = charts.find(({ chart }) => chart === 'linkerd-control-plane');
  const values = controlPlane?.values ?? {};
  const pki = pkiIn(objects, {
    controlPlaneNamespace: controlPlane?.namespace ?? 'linkerd',
    trustDomain: textAt(values, 'identityTrustDomain') ?? textAt(values, 'clusterDomain') ?? 'cluster.local',
    certManagerNamespace: certManager?.namespace ?? 'cert-manager',
    issuanceLifetime: durationAt(values, 'identity.issuer.issuanceLifetime', 24 * HOUR),
    clockSkewAllowance: durationAt(values, 'identity.issuer.clockSkewAllowance', 20 * SECOND),
  });
  const groups = new Set(objects.map(({ data }) => String(data.apiVersion).replace(/\/[^/]*$/, '')));
  const used: Readonly<Record<ManagerChart, string>> = {
    'cert-manager': 'cert-manager.io',
    'trust-manager': 'trust.cert-manager.io',
  };
  const existing = MANAGERS.filter((chart) => !byChart.has(chart) && groups.has(used[chart]));
  return {
    surroundings: {
      pki,
      managers: Object.fromEntries(managers.map(([chart, { manager }]) => [chart, manager])),
      existing,
    },
    notes: [...managers.flatMap(([, one]) => one.notes), ...pki.notes],
  };
}

/** Returns the namespaces of the mesh, which constructs create. */
function namespacesOf(charts: readonly ChartToMigrate[], { managers }: Surroundings): readonly string[] {
  const usual = ['linkerd', 'linkerd-cni', 'linkerd-viz', 'linkerd-multicluster', 'linkerd-jaeger', 'cert-manager'];
  return [...usual, ...charts.flatMap(({ namespace }) => namespace ?? []), managers['cert-manager']?.namespace ?? ''];
}

function clusterDomainOf(charts: readonly ChartToMigrate[]): string | undefined {
  const values = charts.reduce<Values>((all, { values: of }) => mergeValues(all, of), {});
  return textAt(values, 'clusterDomain');
}

function textAt(values: Values, path: string): string | undefined {
  return text(valueAt(values, path));
}

function durationAt(values: Values, path: string, usual: number): number {
  const value: Value | undefined = valueAt(values, path);
  return (typeof value === 'string' ? goDurationMs(value) : undefined) ?? usual;
}
