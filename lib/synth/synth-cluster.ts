import type { LocatedAcknowledgement, LocatedWarning } from '../problems/acknowledge';
import { type LocatedProblem, locate } from '../problems/located';
import type { Cluster } from '../tree/cluster';
import { checkClusterReferences } from './cluster-references';
import { type ClusterTree, readTree } from './cluster-tree';
import { checkForeignDefinitions } from './foreign-definitions';
import type { ClusterInventory, FolderInventory } from './inventory';
import { checkObjects } from './object-checks';
import { cycleText } from './ordering/cycle-text';
import type { Digraph } from './ordering/digraph';
import { folderStages } from './ordering/folder-stages';
import { findDependencyCycle, orderGraph } from './ordering/order-graph';
import { SyncOrder } from './ordering/sync-order';
import type { Folder } from './output/folder';
import { type FolderFiles, folderFiles } from './output/folder-files';
import { checkLayout, layOut } from './output/layout';

/** What a cluster's construct tree comes to. */
export interface ClusterOutput {
  /** Texts of the files by path in the cluster's folder; empty if there are problems. */
  readonly files: ReadonlyMap<string, string>;
  readonly inventory: ClusterInventory;
  readonly problems: readonly LocatedProblem[];
  readonly warnings: readonly LocatedWarning[];
  readonly acknowledgements: readonly LocatedAcknowledgement[];
}

/** Turns a cluster's construct tree into files, or into all that is wrong with it. Touches nothing outside. */
export function synthCluster(cluster: Cluster): ClusterOutput {
  const tree = readTree(cluster);
  const folders = layOut(tree.objects, tree.releases);
  const graph = orderGraph(tree.order);
  const cycle = findDependencyCycle(graph);
  const order = new SyncOrder(cycle === undefined ? graph : []);
  const problems = [
    ...tree.problems,
    ...checkObjects(tree),
    ...checkLayout(folders),
    ...(cycle === undefined ? [] : cycleProblem(cycle, tree)),
    ...checkClusterReferences(tree, order),
  ];
  const written = problems.length > 0 ? [] : filesOf(folders, tree, order);
  problems.push(...written.flatMap((folder) => folder.problems));
  return {
    files: new Map(problems.length > 0 ? [] : written.flatMap(({ files }) => files)),
    inventory: inventoryOf(cluster, folders, graph),
    problems,
    warnings: [...tree.warnings, ...checkForeignDefinitions(tree)],
    acknowledgements: tree.acknowledgements,
  };
}

function cycleProblem(cycle: readonly number[], { order, paths }: ClusterTree): readonly LocatedProblem[] {
  return locate(paths[cycle[0] ?? 0] ?? '', [
    {
      code: 'dependency-cycle',
      what: `It depends on itself: ${cycleText(cycle, order, paths)}`,
      why: 'No order of these components satisfies all of their dependencies',
      fix: 'remove one of these dependencies, or move what depends on a construct out of that construct',
    },
  ]);
}

function filesOf(folders: readonly Folder[], tree: ClusterTree, order: SyncOrder): readonly FolderFiles[] {
  return folders.map((folder) => {
    const objects = folder.objects.map(({ construct }) => construct);
    const releases = folder.releases.map(({ construct }) => construct);
    const waves = order.wavesOf({ objects, releases, first: tree.order.first, ahead: tree.ahead });
    return folderFiles(folder, { order, waves });
  });
}

function inventoryOf({ name, destination }: Cluster, folders: readonly Folder[], graph: Digraph): ClusterInventory {
  const leaves = folders.map(({ objects, releases }) => [...objects, ...releases].map(({ construct }) => construct));
  const stages = folderStages(graph, leaves);
  return { name, destination, folders: folders.map((folder, index) => folderInventory(folder, stages[index] ?? 0)) };
}

function folderInventory({ namespace, objects, releases }: Folder, stage: number): FolderInventory {
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
  };
}
