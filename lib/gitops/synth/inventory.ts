import type { IgnoreDifference } from '../../kubernetes/ignore-difference';
import type { PinnedChart } from '../../linkerd/releases/pinned-chart';

/** One emitted object, by what identifies it. */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
}

/** The contents of one namespace folder, which becomes one Argo CD Application. */
export interface FolderInventory {
  /** The folder's name, which is the namespace's. */
  readonly namespace: string;
  /**
   * The stage at which the folder can be synced as a whole: after all folders of a smaller one. Those that it needs
   * something from have a smaller one, or the same if they need something from it, too. From 0, without gaps.
   */
  readonly stage: number;
  /** The charts of the folder's umbrella chart; empty where it holds plain manifests. */
  readonly charts: readonly PinnedChart[];
  readonly objects: readonly ObjectIdentity[];
  /** Fields of these objects that controllers change in the cluster; absent where there are none. */
  readonly left?: readonly IgnoreDifference[];
}

/** The record of what was emitted for one cluster: plain data, so that the cluster's tree itself can be dropped. */
export interface ClusterInventory {
  readonly name: string;
  /** The address by which Argo CD finds the cluster. */
  readonly destination: { readonly server: string } | { readonly name: string };
  readonly folders: readonly FolderInventory[];
  /** Name of the ring that it is in; absent where the platform has none. */
  readonly ring?: string;
}

/**
 * Keeps one copy of equal folder inventories. The clusters of a fleet are mostly alike, so what must be remembered of
 * them until the Argo CD objects are made does not grow with their number.
 */
export class InventoryPool {
  private readonly known = new Map<string, FolderInventory>();

  /** The same inventory, made of folders that it shares with the others. */
  share(inventory: ClusterInventory): ClusterInventory {
    return { ...inventory, folders: inventory.folders.map((folder) => this.shared(folder)) };
  }

  private shared(folder: FolderInventory): FolderInventory {
    const text = JSON.stringify(folder);
    const known = this.known.get(text) ?? folder;
    this.known.set(text, known);
    return known;
  }
}
