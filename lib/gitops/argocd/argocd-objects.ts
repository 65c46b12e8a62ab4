import { defined } from '#base/defined';
import type { Problem } from '#base/findings/problem';
import type { ApplicationSet, AppProject } from '#imports/crds/argoproj.io';
import { checkDnsLabel } from '#kubernetes/names';
import { BOOLEAN, FREE, keysOf, list } from '#kubernetes/options/known-keys';
import { checkUrlCredentials } from '#kubernetes/urls';
import type { ClusterInventory } from '../synth/inventory';
import { MAX_FILE_NAME_LENGTH } from '../synth/output/file-names';
import { type AppProjectProps, appProject, checkAppProject } from './app-project';
import { foldersOf } from './application-folder';
import { checkApplicationNames } from './application-names';
import { type ApplicationSetProps, applicationSet } from './application-set';
import {
  APPLICATION_SET_OPTIONS,
  type ApplicationSetOptions,
  checkApplicationSetOptions,
} from './application-set-options';
import { ARGOCD_FINDINGS } from './findings';
import { checkGitSource, type GitSource } from './git-source';
import { injectedFields, leftFields, reconciledFields } from './ignore-differences';
import { clusterResources, deployedKinds, destinations, namespacedResources } from './permissions';
import { checkPermits, FURTHER_PERMITS, type FurtherPermits, withPermits } from './permits';
import { checkRoles, PROJECT_ROLES, type ProjectRole } from './project-roles';
import { checkRings, type Ring, type RingClusters } from './ring';
import { checkSyncWindows, SYNC_WINDOWS, type SyncWindow } from './sync-windows';
import { addressOf, checkTarget, type Fleet, type Target } from './target';

/** Maximum length of a name in Kubernetes. checkAppProject reports longer names. */
const MAX_NAME_LENGTH = 253;

/** How Argo CD deploys the output of a Platform. */
export interface ArgoCdProps extends ApplicationSetOptions {
  /**
   * Name of the AppProject, and prefix of the ApplicationSets' names.
   *
   * @default 'linkerd-mesh'
   */
  readonly project?: string;

  /**
   * One ApplicationSet for all clusters that are registered in Argo CD under the name of their folder, instead of one
   * for each cluster.
   *
   * @default - one ApplicationSet for each cluster
   */
  readonly fleet?: Fleet;

  /**
   * Permit the children that controllers create for the output (Pods, ReplicaSets, Jobs …) in the project, so that Argo
   * CD shows them and their logs. The project then permits such objects in Git as well.
   *
   * @default false
   */
  readonly showChildren?: boolean;

  /**
   * Additional repositories that the project permits: chart repositories for which Argo CD has credentials. It passes
   * credentials only to projects that permit the repository (argo-cd v3.5.1, util/argo, GetPermittedRepos). Write a
   * chart registry without `oci://`, as in Argo CD's own Secret. The `mirror` of Platform and clusters is included
   * automatically.
   *
   * @default - none
   */
  readonly sourceRepos?: readonly string[];

  /**
   * Times at which Argo CD may sync, or may not.
   *
   * @default - always
   */
  readonly syncWindows?: readonly SyncWindow[];

  /**
   * Who may do what with the Applications of the project.
   *
   * @default - none: Argo CD's own configuration decides
   */
  readonly roles?: readonly ProjectRole[];

  /**
   * Additional permissions of the project. A ring with its own revision or folder runs older output than the one from
   * which the project is built. List what only the older output contains until the last ring is updated.
   *
   * @default - none
   */
  readonly permitAlso?: FurtherPermits;
}

/** The keys of ArgoCdProps. */
export const ARGOCD_PROPS = keysOf<ArgoCdProps>({
  project: true,
  fleet: keysOf<Fleet>({ cluster: BOOLEAN, clusterLabels: FREE }),
  showChildren: BOOLEAN,
  sourceRepos: list('a list of repositories'),
  permitAlso: FURTHER_PERMITS,
  syncWindows: SYNC_WINDOWS,
  roles: PROJECT_ROLES,
  ...APPLICATION_SET_OPTIONS,
});

/** The settings of the Argo CD objects, apart from the output itself. */
export interface ArgoCdOptions extends ArgoCdProps, Partial<GitSource> {
  /** The rings of the platform, in order. */
  readonly rings?: readonly Ring[];
}

/** The objects with which Argo CD deploys the output. */
export interface ArgoCdObjects {
  /** The AppProject, then the ApplicationSets, which need it; empty if there are problems. */
  readonly objects: readonly (AppProject | ApplicationSet)[];
  readonly problems: readonly Problem[];
}

/**
 * Returns the AppProject and the ApplicationSets for all clusters of the output. Apply them again when folders, kinds
 * or namespaces are added or removed: until then Argo CD refuses new ones.
 */
export function argoCdObjects(inventories: readonly ClusterInventory[], options: ArgoCdOptions): ArgoCdObjects {
  const project = projectProps(inventories, options);
  const sets = applicationSetProps(inventories, options);
  const problems = [
    ...checkAppProject(project),
    ...checkProjectLength(project.name, sets),
    ...checkGitSource(options),
    ...(options.sourceRepos ?? []).flatMap((url, index) => checkUrlCredentials(`argocd.sourceRepos[${index}]`, url)),
    ...checkPermits(options.permitAlso ?? {}),
    ...checkSyncWindows(options.syncWindows),
    ...checkRoles(options.roles),
    ...checkRings(options.rings ?? [], options.path),
    ...checkApplicationSetOptions(options),
    ...checkApplicationNames(foldersOf(inventories)),
    ...sets.flatMap(({ target }) => checkTarget(target)),
    ...(options.fleet === undefined ? checkSeparate(inventories) : checkRegistered(inventories)),
  ];
  if (problems.length > 0) return { objects: [], problems };
  return { objects: [appProject(project), ...sets.map(applicationSet)], problems };
}

function projectProps(inventories: readonly ClusterInventory[], options: ArgoCdOptions): AppProjectProps {
  const isFleet = options.fleet !== undefined;
  const props: AppProjectProps = {
    name: projectName(options),
    namespace: options.namespace,
    sourceRepos: [...new Set([options.repoUrl ?? '', ...(options.sourceRepos ?? [])])],
    destinations: destinations(byName(inventories), isFleet),
    clusterResources: clusterResources(inventories),
    namespacedResources: namespacedResources(inventories, options.showChildren ?? false),
    ...defined({
      labels: options.labels,
      annotations: options.annotations,
      syncWindows: options.syncWindows,
      roles: options.roles,
    }),
  };
  return options.permitAlso === undefined
    ? props
    : withPermits(props, options.permitAlso, byName(inventories), isFleet);
}

function applicationSetProps(
  inventories: readonly ClusterInventory[],
  options: ArgoCdOptions,
): readonly ApplicationSetProps[] {
  const project = projectName(options);
  const rings = ringClusters(inventories, options.rings ?? []);
  const props = (name: string, target: Target, clusters: readonly ClusterInventory[]): ApplicationSetProps => ({
    ...options,
    name,
    project,
    source: { repoUrl: options.repoUrl ?? '', revision: options.revision, path: options.path },
    target,
    rings: clusters === inventories ? rings : clusters.flatMap((cluster) => ringOf(cluster, rings)),
    folders: foldersOf(clusters),
    ignoreDifferences: [
      ...injectedFields(deployedKinds(clusters)),
      ...reconciledFields(clusters),
      ...leftFields(clusters),
      ...(options.ignoreDifferences ?? []),
    ],
  });
  if (options.fleet !== undefined) return [props(project, options.fleet, inventories)];
  return inventories.map((cluster) =>
    props(`${project}-${cluster.name}`, { cluster: cluster.name, destination: cluster.destination }, [cluster]),
  );
}

/** Sorts clusters by name, so that the order in which a program adds them does not change the output. */
function byName(inventories: readonly ClusterInventory[]): readonly ClusterInventory[] {
  return inventories.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function ringOf({ name, ring }: ClusterInventory, rings: readonly RingClusters[]): readonly RingClusters[] {
  return rings.filter((one) => one.name === ring).map((one) => ({ ...one, clusters: [name] }));
}

function ringClusters(inventories: readonly ClusterInventory[], rings: readonly Ring[]): readonly RingClusters[] {
  const clusters = new Map(rings.map(({ name }) => [name, [] as string[]]));
  for (const { name, ring = '' } of byName(inventories)) clusters.get(ring)?.push(name);
  return rings.map(({ name, revision, path, automated }) => ({
    name,
    revision,
    path,
    ...(automated !== undefined && { automated }),
    clusters: clusters.get(name) ?? [],
  }));
}

function projectName({ project = 'linkerd-mesh' }: ArgoCdOptions): string {
  return project;
}

/** The names of ApplicationSets begin with the name of the project, and names of files contain them. */
function checkProjectLength(project: string, sets: readonly ApplicationSetProps[]): readonly Problem[] {
  const longest = Math.max(...sets.map(({ name }) => name.length), project.length);
  const excess = longest + 'applicationset..yaml'.length - MAX_FILE_NAME_LENGTH;
  if (excess <= 0 || project.length > MAX_NAME_LENGTH) return [];
  return [ARGOCD_FINDINGS.nameTooLongProject({ length: project.length, most: MAX_FILE_NAME_LENGTH, excess })];
}

function checkSeparate(inventories: readonly ClusterInventory[]): readonly Problem[] {
  const byDestination = new Map<string, string>();
  return inventories.flatMap(({ name, destination }) => {
    const place = 'server' in destination ? destination.server : destination.name;
    const address = addressOf(destination);
    const other = byDestination.get(address);
    byDestination.set(address, other ?? name);
    if (other === undefined) return [];
    return [ARGOCD_FINDINGS.destinationRefusedShared({ one: other, other: name, destination: place })];
  });
}

function checkRegistered(inventories: readonly ClusterInventory[]): readonly Problem[] {
  return inventories.flatMap(({ name, destination }) => {
    const problems: Problem[] = checkDnsLabel('The name of a cluster', name);
    if ('name' in destination && destination.name !== name) {
      problems.push(ARGOCD_FINDINGS.destinationRefusedFleet({ name, destination: destination.name }));
    }
    return problems;
  });
}
