import { type Finding, findingsAt } from '#base/findings/finding';
import { apiGroup } from '#kubernetes/objects/scope';
import { type Installed, installedBy } from '#linkerd/releases/installed';
import type { PlacedRelease } from '../../checks/cluster/checked-cluster';
import { reviewTogether } from '../../checks/cluster/review-cluster';
import type { PlacedObject } from '../../checks/object-rule';
import type { IgnoreDifference } from '../tree/ignore-difference';
import type { ConstructTree } from '../tree/read-tree';
import { checkClusterReferences, checkForeignDefinitions } from './cluster-references';
import { SYNTH_FINDINGS } from './findings';
import type { FolderInventory } from './inventory';
import { cycleText, findDependencyCycle, orderGraph } from './ordering/order-graph';
import { folderStages, SyncOrder } from './ordering/sync-order';
import { checkLayout, type Folder, layOut } from './output/layout';
import { rolloutFields } from './rollout-fields';

/** Folders and order of a cluster's objects and charts, with the findings about them. */
export interface Arrangement {
  readonly folders: readonly Folder[];
  readonly order: SyncOrder;
  /** Sync waves of the objects, by the numbers of their constructs. */
  readonly waves: ReadonlyMap<number, number>;
  readonly inventories: readonly FolderInventory[];
  readonly installed: Installed;
  readonly findings: readonly Finding[];
}

interface Known {
  readonly basis: readonly unknown[];
  readonly arrangement: Arrangement;
  /** For each finding, the number of its construct. */
  readonly places: readonly number[];
}

const MAX_KNOWN = 8;

let recent: readonly Known[] = [];

/** Arranges the objects and charts of a cluster. Reuses the arrangement of an equal cluster, if there is one. */
export function arrangementOf(tree: ConstructTree): Arrangement {
  const basis = basisOf(tree);
  const known = recent.find((one) => isEqual(one.basis, basis));
  if (known !== undefined) {
    recent = [known, ...recent.filter((one) => one !== known)];
    return withContents(known, tree);
  }
  const arrangement = arrange(tree);
  const places = placesOf(arrangement.findings, tree);
  if (places !== undefined) recent = [{ basis, arrangement, places }, ...recent].slice(0, MAX_KNOWN);
  return arrangement;
}

/**
 * Returns everything in a tree that its arrangement depends on. Equal objects and values are the same object, so that
 * parts can be compared by identity. Paths are left out: they only name places in findings.
 */
function basisOf(tree: ConstructTree): readonly unknown[] {
  const { objects, releases, rendered, meshes, declarations, left, parents, dependencies, first, ahead } = tree;
  const declared = declarations.map(({ construct, declarations: ofConstruct }) => [construct, ofConstruct]);
  const charts = [...releases.map(({ release }) => release.chart), ...rendered.map(({ chart }) => chart)];
  const counts = [objects, releases, parents, dependencies].map(({ length }) => length);
  return [
    JSON.stringify([declared, left, charts, meshes, [...first], [...ahead], counts]),
    ...objects.flatMap(({ construct, object, checkedAs = object, home }) => [construct, checkedAs, home]),
    ...releases.flatMap(({ construct, release: { namespace, values } }) => [construct, namespace, values]),
    ...rendered.flatMap(({ namespace, values }) => [namespace, values]),
    ...parents,
    ...dependencies.flat(),
  ];
}

function isEqual(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

/**
 * Returns the numbers of the constructs of findings; undefined if a finding has no construct, or a text with the name
 * of the cluster, because such findings cannot be reused for another cluster.
 */
function placesOf(findings: readonly Finding[], { paths }: ConstructTree): readonly number[] | undefined {
  const places = findings.map(({ path }) => paths.indexOf(path));
  const texts = findings.map(({ problem }) => JSON.stringify(problem));
  return places.includes(-1) || texts.some((text) => text.includes(paths[0] ?? '')) ? undefined : places;
}

function withContents({ arrangement, places }: Known, { objects, releases, paths }: ConstructTree): Arrangement {
  const [objectAt, releaseAt] = [byConstruct(objects), byConstruct(releases)];
  return {
    ...arrangement,
    folders: arrangement.folders.map(({ namespace, ...known }) => ({
      namespace,
      objects: known.objects.map(({ construct, file }) => ({ ...(objectAt.get(construct) as PlacedObject), file })),
      releases: known.releases.map(({ construct }) => releaseAt.get(construct) as PlacedRelease),
    })),
    findings: arrangement.findings.map((finding, index) => ({ ...finding, path: paths[places[index] ?? 0] ?? '' })),
  };
}

function byConstruct<T extends { readonly construct: number }>(placed: readonly T[]): ReadonlyMap<number, T> {
  return new Map(placed.map((one) => [one.construct, one]));
}

function arrange(tree: ConstructTree): Arrangement {
  const folders = layOut(tree.objects, tree.releases);
  const graph = orderGraph(tree);
  const ordered = new SyncOrder(graph);
  const cycle = ordered.isComplete ? undefined : findDependencyCycle(graph);
  const order = cycle === undefined ? ordered : new SyncOrder([]);
  const leaves = folders.map(({ objects, releases }) => [...objects, ...releases].map(({ construct }) => construct));
  const stages = folderStages(graph, leaves);
  const left = [...tree.left, ...tree.objects.flatMap(({ object }) => rolloutFields(object))];
  return {
    folders,
    order,
    waves: new Map(folders.flatMap((folder) => [...wavesIn(folder, tree, order)])),
    inventories: folders.map((folder, index) => folderInventory(folder, stages[index] ?? 0, left)),
    installed: installedBy(tree),
    findings: [
      ...reviewTogether(tree),
      ...checkLayout(folders),
      ...(cycle === undefined ? [] : cycleProblem(cycle, tree)),
      ...checkClusterReferences(tree, order),
      ...checkForeignDefinitions(tree),
    ],
  };
}

function wavesIn(folder: Folder, { first, ahead }: ConstructTree, order: SyncOrder): ReadonlyMap<number, number> {
  const objects = folder.objects.map(({ construct }) => construct);
  const releases = folder.releases.map(({ construct }) => construct);
  return order.wavesOf({ objects, releases, first, ahead });
}

function cycleProblem(cycle: readonly number[], tree: ConstructTree): readonly Finding[] {
  const cyclic = SYNTH_FINDINGS.dependencyCycle({ cycle: cycleText(cycle, tree, tree.paths) });
  return findingsAt(tree.paths[cycle[0] ?? 0] ?? '', [cyclic]);
}

function folderInventory(
  { namespace, objects, releases }: Folder,
  stage: number,
  fields: readonly IgnoreDifference[],
): FolderInventory {
  const left = leftIn(objects, fields);
  return {
    namespace,
    stage,
    charts: releases.map(({ release }) => release.chart),
    objects: objects.map(({ object: { apiVersion, kind, metadata } }) => ({
      apiVersion,
      kind,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      name: metadata.name,
    })),
    ...(left.length > 0 ? { left } : {}),
  };
}

function leftIn(objects: Folder['objects'], fields: readonly IgnoreDifference[]): readonly IgnoreDifference[] {
  const isEmitted = ({ group, kind, namespace, name }: IgnoreDifference) =>
    objects.some(
      ({ object: { apiVersion, kind: itsKind, metadata } }) =>
        kind === itsKind &&
        group === apiGroup(apiVersion) &&
        namespace === metadata.namespace &&
        name === metadata.name,
    );
  return [...new Map(fields.filter(isEmitted).map((field) => [JSON.stringify(field), field])).values()];
}
