import type { ValueChange, ValuePath } from '../compare/value-changes';
import type { Consequence } from './consequences/consequence';

/**
 * The version of the format that `--format json` prints. It grows when something is removed or means something else;
 * members and codes of consequences may come without that.
 */
export const DIFF_VERSION = 1;

/** The difference of two outputs of a platform. */
export interface OutputDiff {
  readonly version: typeof DIFF_VERSION;
  readonly from: string;
  readonly to: string;
  /** All clusters of both outputs, by name. */
  readonly clusters: readonly ClusterSummary[];
  /** The changes, each told once with all clusters that have it; most clusters first. */
  readonly groups: readonly DiffGroup[];
}

/** A cluster, or the folder of the objects by which Argo CD deploys all of them. */
export interface ClusterSummary {
  readonly name: string;
  readonly state: 'added' | 'removed' | 'changed' | 'unchanged';
  /** The ring in which the cluster gets new versions, if the output says one. */
  readonly ring?: string;
}

/** Changes that the same clusters have in common. */
export interface DiffGroup {
  /** Clusters, by name. */
  readonly clusters: readonly string[];
  /** The rings of these clusters: how many of their clusters are in the group, and of how many. */
  readonly rings: readonly RingShare[];
  readonly consequences: readonly Consequence[];
  readonly changes: readonly Change[];
}

/** A part of a ring. */
export interface RingShare {
  readonly ring: string;
  readonly clusters: number;
  readonly of: number;
}

/** A file, or the object in it, that is not as it was. */
export interface Change {
  /** Path in the cluster's folder: that of the later output, where it has the file. Fields of it may be in other groups, too. */
  readonly file: string;
  /** The path that it had before, if another one. */
  readonly movedFrom?: string;
  /** The object; absent for charts, values and what is no object. */
  readonly object?: ObjectName;
  /** `reworded` is a change of order, white space or comments alone; `unreadable` is a file that nobody can compare. */
  readonly change: 'added' | 'removed' | 'changed' | 'reworded' | 'unreadable';
  /** Tells that no index lists the file: a synthesis did not write it. */
  readonly unlisted?: true;
  readonly fields: readonly FieldDifference[];
}

/** The name of an object. */
export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** A field that is not as it was. */
export type FieldDifference = (ValueChange | RewordedText) & {
  /**
   * The way to what differs within a text that is YAML or JSON itself, and that `path` leads to. The values are those of
   * its content; its order, white space and comments are not told.
   */
  readonly within?: ValuePath;
  /** Tells changes that every release brings: version labels, image tags, checksums. */
  readonly routine?: true;
  /** Tells that texts too long to be shown stand as their hash, or that each cluster has a value of its own. */
  readonly shortened?: true;
  /** Tells that secrets are hidden. */
  readonly hidden?: true;
};

/** A text that is YAML or JSON itself, and says the same in another order, with other white space or comments. */
interface RewordedText {
  readonly op: 'reworded';
  readonly path: ValuePath;
}
