import type { PlacedObject } from '../../../kubernetes/checks/object-rule';
import type { PlacedRelease } from '../../tree/read-tree';

/** An object and the name of its file. */
export interface ObjectFile extends PlacedObject {
  readonly file: string;
}

/** One namespace folder, which becomes one Argo CD Application. */
export interface Folder {
  readonly namespace: string;
  readonly objects: readonly ObjectFile[];
  readonly releases: readonly PlacedRelease[];
}
