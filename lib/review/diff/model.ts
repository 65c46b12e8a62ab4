import type { ValueChange, ValuePath } from '../compare/value-changes';
import type { Consequence } from './consequences/catalogue';

/**
 * The version of the format of `--format json`. It increases when a member is removed or changes its meaning, but not
 * when members or codes of consequences are added.
 */
export const DIFF_VERSION = 3;

/** The differences between two outputs of a platform. */
export interface OutputDiff {
  readonly version: typeof DIFF_VERSION;
  readonly from: string;
  readonly to: string;
  /** The rings, in the platform's order; empty if the output contains no rings. */
  readonly rings: readonly RingSummary[];
  /** All clusters of both outputs, by name. */
  readonly clusters: readonly ClusterSummary[];
  /** The changes, each once with all its clusters; the most severe first. */
  readonly groups: readonly DiffGroup[];
}

/** A ring, and when its clusters get a change. */
export interface RingSummary {
  readonly ring: string;
  /** The number of clusters in the ring, and how many of them change. */
  readonly clusters: number;
  readonly changed: number;
  /**
   * `merge`: when the change is merged. `revision`: when the ring's revision moves. `promotion`: when its output is
   * promoted to the ring's folder. `unknown`: not in the output.
   */
  readonly reach: 'merge' | 'revision' | 'promotion' | 'unknown';
  readonly revision?: string;
  readonly path?: string;
  /** Argo CD syncs the ring when the rings before it are healthy. */
  readonly rolling?: true;
}

/** A cluster, or the folder with the objects by which Argo CD deploys all clusters. */
export interface ClusterSummary {
  readonly name: string;
  readonly state: 'added' | 'removed' | 'changed' | 'unchanged';
  /** The ring of the cluster, if the output names it. */
  readonly ring?: string;
  /** The name of the cluster in the earlier output, if different. */
  readonly renamedFrom?: string;
}

interface OfSome {
  /** The clusters that have the item; absent if all clusters of the group have it. */
  readonly clusters?: readonly string[];
}

/** Items that change together in the same clusters, probably for one reason. */
export interface DiffGroup {
  /** Clusters, by name. */
  readonly clusters: readonly string[];
  /** The rings of these clusters, in the platform's order: how many clusters of each are in the group, and in total. */
  readonly rings: readonly RingShare[];
  /** The most severe first. */
  readonly consequences: readonly (Consequence & OfSome)[];
  readonly changes: readonly GroupChange[];
}

/** A change of a group. The change, or some of its fields, may occur in only some clusters of the group. */
export type GroupChange = Omit<Change, 'fields'> & OfSome & { readonly fields: readonly GroupField[] };
export type GroupField = FieldDifference & OfSome;

/** How many clusters of a ring are in a group, of how many. */
export interface RingShare {
  readonly ring: string;
  readonly clusters: number;
  readonly of: number;
}

/** A changed file, or the object in it. */
export interface Change {
  /** Path in the cluster's folder; the later path if the file moved. Other groups may contain more of its fields. */
  readonly file: string;
  /** The earlier path, if different. */
  readonly movedFrom?: string;
  /** The object; absent for charts, values and other files. */
  readonly object?: ObjectName;
  /** `reworded` is a change of only order, white space or comments; `unreadable` is a file that cannot be compared. */
  readonly change: 'added' | 'removed' | 'changed' | 'reworded' | 'unreadable';
  /** No index lists the file: it was not synthesized. */
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

/** A changed field. */
export type FieldDifference = (ValueChange | RewordedText) & {
  /**
   * The path to the difference in the content of the YAML or JSON string at `path`. Order, white space and comments
   * of the string are not shown.
   */
  readonly within?: ValuePath;
  /** A change that occurs in every release: version labels, image tags, checksums. */
  readonly routine?: true;
  /** Long strings are replaced by their hash, or values differ between clusters. */
  readonly shortened?: true;
  /** Secrets are hidden. */
  readonly hidden?: true;
};

/** A string of YAML or JSON that changes only in order, white space or comments. */
interface RewordedText {
  readonly op: 'reworded';
  readonly path: ValuePath;
}
