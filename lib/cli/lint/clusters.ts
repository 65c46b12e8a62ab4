import { shownPlace } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import type { Values } from '#base/values';
import type { Reference } from '#kubernetes/objects/references';
import { apiGroup } from '#kubernetes/objects/scope';
import { secretNames } from '../../checks/certificate-checks';
import { checkPlace, checkType } from '../../checks/object-type';
import type { ConstructTree } from '../../gitops/tree/read-tree';
import type { FoundObject } from '../repository/documents';
import { RepositoryFiles } from '../repository/repository-files';
import { type Unique, worldsOf } from '../repository/worlds';
import type { FoundChart } from './charts-in-files';
import type { AppliedObject, ReadFiles } from './found';
import { type InstalledCharts, installedIn, type KnownMesh, withCharts } from './installed-charts';

/** The objects and charts in files for one cluster, in the form of constructs. */
export interface FoundCluster {
  readonly objects: readonly AppliedObject[];
  readonly installed: InstalledCharts;
  readonly tree: ConstructTree;
}

/** Facts about clusters that the files do not contain. */
export interface KnownClusters extends KnownMesh {
  /**
   * Objects that exist, although no file contains them. If set, all other objects that no file contains are missing.
   *
   * @default - objects that no file contains may exist
   */
  readonly external?: readonly Reference[] | undefined;

  /**
   * Returns the cluster of a file; undefined for a file of all clusters.
   *
   * @default - folders with the same objects are a cluster each
   */
  readonly clusterOf?: ((file: string) => string | undefined) | undefined;
}

/** Returns the contents of files for each cluster. Objects that rules cannot read are left out. */
export function clustersIn(
  {
    objects,
    charts,
    repository = new RepositoryFiles(new Map()),
    values = [],
  }: Pick<ReadFiles, 'objects' | 'charts'> & Partial<Pick<ReadFiles, 'repository' | 'values'>>,
  known: KnownClusters = {},
): readonly FoundCluster[] {
  const sound = objects.filter((found) => checkForm(found).length === 0);
  return apart([...sound, ...charts].map(uniqueIn), known).map((world) =>
    clusterOf(
      world.map(({ found }) => found),
      { ...known, repository, values },
    ),
  );
}

function apart<T extends Unique>(all: readonly T[], { clusterOf: of }: KnownClusters): readonly (readonly T[])[] {
  if (of === undefined) return worldsOf(all);
  const placed = all.map((one) => [of(one.file), one] as const);
  const shared = placed.flatMap(([cluster, one]) => (cluster === undefined ? [one] : []));
  const clusters = grouped(
    placed.flatMap(([cluster, one]) => (cluster === undefined ? [] : [[cluster, one] as const])),
  );
  return clusters.size === 0 ? [shared] : [...clusters.values()].map((own) => [...shared, ...own]);
}

function clusterOf(
  all: readonly (AppliedObject | FoundChart)[],
  known: KnownClusters & Pick<ReadFiles, 'repository' | 'values'>,
): FoundCluster {
  const objects = all.flatMap((one) => ('object' in one ? [one] : []));
  const tree = { ...treeOf(objects, known.external ?? []), meshes: meshesIn(known.values) };
  const paths = new Map(objects.map((found, index) => [found, tree.paths[index] ?? '']));
  const installed = installedIn(all, (found) => paths.get(found) ?? '', known.repository);
  return { objects, installed, tree: withCharts(tree, installed, known) };
}

/** Returns the values of the control plane in values files, which no object installs. */
function meshesIn(values: ReadFiles['values']): readonly Values[] {
  if (values.length === 0) return [];
  const { meshValuesIn } = require('./values-files') as typeof import('./values-files');
  const mesh = meshValuesIn(values);
  return mesh === undefined ? [] : [mesh];
}

/** Returns the problems that prevent other rules from reading an object. */
export function checkForm({ object }: FoundObject): readonly Problem[] {
  return [...checkType(object), ...checkPlace(object)];
}

function uniqueIn(found: AppliedObject | FoundChart): Unique & { readonly found: AppliedObject | FoundChart } {
  if (!('object' in found)) {
    return { found, file: found.source.file, object: `chart ${found.chart.chart}`, makes: [] };
  }
  const { object, source, at: file = source.file } = found;
  const { apiVersion, kind, metadata } = object;
  return {
    found,
    file,
    object: JSON.stringify([apiGroup(apiVersion), kind, metadata.namespace, metadata.name]),
    makes: secretNames(object).map((name) => JSON.stringify([metadata.namespace, name])),
  };
}

/** The folder of objects without a namespace in an output. */
const CLUSTER_SCOPED = 'cluster-scoped';

/** The path of an object is its place, which messages show. Several objects may be on one line. */
function treeOf(world: readonly FoundObject[], external: readonly Reference[]): ConstructTree {
  const onLine = new Map<string, number>();
  const pathOf = ({ source }: FoundObject) => {
    const place = shownPlace(source);
    const before = onLine.get(place) ?? 0;
    onLine.set(place, before + 1);
    return before === 0 ? place : `${place}, object ${before + 1}`;
  };
  const objects = world.map((found, index) => ({
    path: pathOf(found),
    construct: index,
    object: found.object,
    home: CLUSTER_SCOPED,
  }));
  return {
    paths: objects.map(({ path }) => path),
    parents: objects.map(() => -1),
    dependencies: [],
    objects,
    releases: [],
    rendered: [],
    meshes: [],
    declarations: [{ path: '', construct: -1, declarations: { external } }],
    first: new Set(),
    ahead: new Set(),
    acknowledgements: [],
    left: [],
    rules: [],
    findings: [],
  };
}
