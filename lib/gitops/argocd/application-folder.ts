import type { ClusterInventory, FolderInventory } from '../synth/inventory';

/** The facts about a namespace folder that determine its Application. */
export interface ApplicationFolder {
  /** Name of the cluster's folder. */
  readonly cluster: string;
  /** Name of the folder itself, which is the namespace. */
  readonly namespace: string;

  /**
   * Stage of the folder in a RollingSync, which syncs it when all folders of lower stages are Healthy.
   *
   * @default 0
   */
  readonly stage?: number;

  /**
   * The folder is a Helm chart.
   *
   * @default false - plain manifests
   */
  readonly chart?: boolean;

  /**
   * The chart renders only CustomResourceDefinitions. Argo CD then never prunes in this folder automatically and, from
   * 3.5 on, also not by hand: deleting a definition deletes all objects of its kind, and a chart's objects cannot be
   * annotated one by one.
   *
   * @default false
   */
  readonly onlyDefinitions?: boolean;

  /**
   * Apply only objects that differ from Git in a field that is not ignored. For folders with objects whose fields a
   * controller changes, such as the weights of a route: a sync of all objects would reset these fields.
   *
   * @default false
   */
  readonly onlyOutOfSync?: boolean;
}

/** Returns a folder's identity within the output: `home/linkerd`. */
export function folderPath({ cluster, namespace }: ApplicationFolder): string {
  return `${cluster}/${namespace}`;
}

/** Returns the folders of all clusters. */
export function foldersOf(inventories: readonly ClusterInventory[]): readonly ApplicationFolder[] {
  return inventories.flatMap(({ name, folders }) =>
    folders.map((folder) => ({
      cluster: name,
      namespace: folder.namespace,
      stage: folder.stage,
      chart: folder.charts.length > 0,
      onlyDefinitions: rendersOnlyDefinitions(folder),
      onlyOutOfSync: folder.left !== undefined,
    })),
  );
}

const DEFINITION = 'apiextensions.k8s.io/CustomResourceDefinition';

function rendersOnlyDefinitions({ charts }: FolderInventory): boolean {
  return charts.length > 0 && charts.every(({ kinds }) => kinds.every((kind) => kind === DEFINITION));
}
