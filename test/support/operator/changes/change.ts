import type { OperatedMesh } from '../operated-mesh';

/** A change in a cluster, and a check of the operator's reaction. */
export interface Change {
  make(): Promise<void>;
  /** Checks once. @throws while the operator has not reacted */
  seen(): Promise<void>;
}

/** Prepares a change while the operator has all permissions. It can be repeated, and does not affect other changes. */
export type PrepareChange = (mesh: OperatedMesh) => Promise<Change>;
