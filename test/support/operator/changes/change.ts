import type { OperatedMesh } from '../operated-mesh';

/** Something that happens in a cluster, and what the operator makes of it. */
export interface Change {
  make(): Promise<void>;
  /** Looks, once. @throws while the operator has not done its part */
  seen(): Promise<void>;
}

/** Prepares a change while the operator may do everything. Can be repeated; leaves nothing that is in the way of others. */
export type PrepareChange = (mesh: OperatedMesh) => Promise<Change>;
