import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import type { IgnoreDifference } from '../tree/ignore-difference';

/** The identity of an emitted object. */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
}

/** The contents of one namespace folder, which becomes one Argo CD Application. */
export interface FolderInventory {
  /** The folder's name, which is the namespace. */
  readonly namespace: string;
  /**
   * The stage at which the whole folder can be synced, from 0 without gaps. Folders that it needs have a smaller stage,
   * or the same stage if each needs the other.
   */
  readonly stage: number;
  /** The charts of the folder's umbrella chart; empty for plain manifests. */
  readonly charts: readonly PinnedChart[];
  readonly objects: readonly ObjectIdentity[];
  /** Fields of these objects that controllers change in the cluster; absent if there are none. */
  readonly left?: readonly IgnoreDifference[];
}

/** The record of what was emitted for one cluster, as plain data, so that memory does not hold the cluster's tree. */
export interface ClusterInventory {
  readonly name: string;
  /** The cluster's address for Argo CD. */
  readonly destination: { readonly server: string } | { readonly name: string };
  readonly folders: readonly FolderInventory[];
  /** Name of its ring; absent if the platform has none. */
  readonly ring?: string;
}

/**
 * Keeps one copy of equal folder inventories. The clusters of a fleet are mostly alike, so the memory for the Argo CD
 * objects does not grow with their number.
 */
export class InventoryPool {
  private readonly known = new Map<string, FolderInventory>();

  /** Returns the same inventory, with its equal folders replaced by shared ones. */
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
