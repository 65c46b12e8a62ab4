import type { ClusterInventory, FolderInventory } from '../synth/inventory';

/** One namespace folder, as far as its Application depends on it. */
export interface ApplicationFolder {
  /** Name of the cluster's folder. */
  readonly cluster: string;
  /** Name of the folder itself, which is the namespace's. */
  readonly namespace: string;

  /**
   * The stage in which it is synced if the ApplicationSet syncs in order: folders of a lower stage are Healthy before.
   *
   * @default 0
   */
  readonly stage?: number;

  /**
   * Tells whether the folder is a Helm chart.
   *
   * @default false - plain manifests
   */
  readonly chart?: boolean;

  /**
   * Tells whether the chart renders CustomResourceDefinitions and nothing else. Argo CD then never prunes in this
   * folder: with a definition all objects of its kind are deleted, and a chart's objects cannot be annotated one by
   * one.
   *
   * @default false
   */
  readonly onlyDefinitions?: boolean;

  /**
   * Apply only objects that differ from Git, ignored fields aside. For folders with objects of which a controller changes
   * fields, such as the weights of a route: a sync applies all objects otherwise, and puts such fields back.
   *
   * @default false
   */
  readonly onlyOutOfSync?: boolean;
}

/** A folder's identity within the output: `home/linkerd`. */
export function folderPath({ cluster, namespace }: ApplicationFolder): string {
  return `${cluster}/${namespace}`;
}

/** The folders of all clusters. */
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
