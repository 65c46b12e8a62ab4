import type { ClusterInventory, FolderInventory } from './inventory';

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
