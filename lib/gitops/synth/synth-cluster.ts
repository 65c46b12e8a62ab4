import { errorsAt, type Finding, warningsAt } from '../../kubernetes/findings/finding';
import type { IgnoreDifference } from '../../kubernetes/ignore-difference';
import { apiGroup } from '../../kubernetes/scope';
import type { LocatedAcknowledgement } from '../../linkerd/warnings';
import type { Cluster } from '../tree/cluster';
import { type ConstructTree, readTree } from '../tree/read-tree';
import { reviewTree } from '../tree/review';
import { checkClusterReferences } from './cluster-references';
import { SYNTH_FINDINGS } from './findings';
import { type Installed, installedBy } from './installed';
import type { ClusterInventory, FolderInventory } from './inventory';
import type { Digraph } from './ordering/digraph';
import { cycleText, findDependencyCycle, orderGraph } from './ordering/order-graph';
import { folderStages, SyncOrder } from './ordering/sync-order';
import { type FolderFiles, folderFiles } from './output/folder-files';
import type { Folder } from './output/layout';
import { checkLayout, layOut } from './output/layout';
import { rolloutFields } from './rollout-fields';

/** The output of a cluster's construct tree. */
export interface ClusterOutput {
  /** Contents of the files by path in the cluster's folder; empty if there are errors. */
  readonly files: ReadonlyMap<string, string>;
  readonly inventory: ClusterInventory;
  readonly installed: Installed;
  readonly findings: readonly Finding[];
  readonly acknowledgements: readonly LocatedAcknowledgement[];
}

/** Renders a prepared construct tree to files, or returns all its errors. Has no side effects. */
export function synthCluster(cluster: Cluster): ClusterOutput {
  const tree = readTree(cluster);
  const folders = layOut(tree.objects, tree.releases);
  const graph = orderGraph(tree);
  const ordered = new SyncOrder(graph);
  const cycle = ordered.isComplete ? undefined : findDependencyCycle(graph);
  const order = cycle === undefined ? ordered : new SyncOrder([]);
  const found = [
    ...reviewTree(tree),
    ...checkLayout(folders),
    ...(cycle === undefined ? [] : cycleProblem(cycle, tree)),
    ...checkClusterReferences(tree, order),
    ...checkForeignDefinitions(tree),
  ];
  const isRight = found.every(({ severity }) => severity === 'warning');
  const written = isRight ? filesOf(folders, tree, order) : [];
  const unwritable = written.flatMap(({ findings }) => findings);
  return {
    files: new Map(unwritable.length > 0 ? [] : written.flatMap(({ files }) => files)),
    inventory: inventoryOf(cluster, { tree, folders, graph }),
    installed: installedBy(tree),
    findings: [...found, ...unwritable],
    acknowledgements: tree.acknowledgements,
  };
}

function cycleProblem(cycle: readonly number[], tree: ConstructTree): readonly Finding[] {
  const cyclic = SYNTH_FINDINGS.dependencyCycle({ cycle: cycleText(cycle, tree, tree.paths) });
  return errorsAt(tree.paths[cycle[0] ?? 0] ?? '', [cyclic]);
}

function filesOf(folders: readonly Folder[], tree: ConstructTree, order: SyncOrder): readonly FolderFiles[] {
  return folders.map((folder) => {
    const objects = folder.objects.map(({ construct }) => construct);
    const releases = folder.releases.map(({ construct }) => construct);
    const waves = order.wavesOf({ objects, releases, first: tree.first, ahead: tree.ahead });
    return folderFiles(folder, { order, waves });
  });
}

function inventoryOf(
  { name, destination, ring }: Cluster,
  {
    tree,
    folders,
    graph,
  }: { readonly tree: ConstructTree; readonly folders: readonly Folder[]; readonly graph: Digraph },
): ClusterInventory {
  const leaves = folders.map(({ objects, releases }) => [...objects, ...releases].map(({ construct }) => construct));
  const stages = folderStages(graph, leaves);
  const left = [...tree.left, ...tree.objects.flatMap(({ object }) => rolloutFields(object))];
  const inventories = folders.map((folder, index) => folderInventory(folder, stages[index] ?? 0, left));
  return { name, destination, folders: inventories, ...(ring === undefined ? {} : { ring }) };
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

/** Returns the fields of objects in the folder, without duplicates. */
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

/** API groups of software that this library never installs, and what installs their CRDs. */
const FOREIGN: Readonly<Record<string, string>> = {
  'argoproj.io': 'Argo Rollouts',
  'gateway.networking.k8s.io': 'the Gateway API',
  'k8s.cni.cncf.io': 'Multus',
  'monitoring.coreos.com': 'the Prometheus operator',
  'traefik.io': 'Traefik',
};

/** Irregular plurals. */
const PLURALS: Readonly<Record<string, string>> = {
  NetworkAttachmentDefinition: 'network-attachment-definitions',
};

/**
 * Warns about objects whose definitions are neither installed nor declared: a sync retries them until their definitions
 * are installed, or fails. One warning for each group.
 */
function checkForeignDefinitions({ objects, declarations }: ConstructTree): readonly Finding[] {
  const known = new Set([
    ...objects
      .filter(({ object }) => object.kind === 'CustomResourceDefinition')
      .map(({ object }) => object.metadata.name),
    ...declarations
      .flatMap(({ declarations: { provides = [], external = [] } }) => [...provides, ...external])
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map(({ name }) => name),
  ]);
  const brings = (group: string) => [...known].some((name) => name.endsWith(`.${group}`));
  return Object.entries(FOREIGN).flatMap(([group, software]) => {
    const [first] = objects.filter(({ object }) => apiGroup(object.apiVersion) === group);
    if (first === undefined || brings(group)) return [];
    const { kind } = first.object;
    const crd = `${PLURALS[kind] ?? `${kind.toLowerCase()}s`}.${group}`;
    return warningsAt(first.path, [SYNTH_FINDINGS.crdsUndeclared({ kind, group, software, crd })]);
  });
}
