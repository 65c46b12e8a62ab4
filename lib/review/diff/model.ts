import type { ValueChange, ValuePath } from '../compare/value-changes';
import type { Consequence } from './consequences/catalogue';

/**
 * The version of the format of `--format json`. It grows when a member is removed or changes its meaning; members and
 * codes of consequences may be added without that.
 */
export const DIFF_VERSION = 3;

/** The differences of two outputs of a platform. */
export interface OutputDiff {
  readonly version: typeof DIFF_VERSION;
  readonly from: string;
  readonly to: string;
  /** The rings, in the platform's order; empty if it has none, or the output does not say. */
  readonly rings: readonly RingSummary[];
  /** All clusters of both outputs, by name. */
  readonly clusters: readonly ClusterSummary[];
  /** The changes, each once with all its clusters; the most severe first. */
  readonly groups: readonly DiffGroup[];
}

/** A ring, and when its clusters get a change. */
export interface RingSummary {
  readonly ring: string;
  /** The number of its clusters, and of those that change. */
  readonly clusters: number;
  readonly changed: number;
  /**
   * `merge`: when the change is merged. `revision`: when the ring's revision moves. `promotion`: when its output is
   * promoted to the ring's folder. `unknown`: the output does not say.
   */
  readonly reach: 'merge' | 'revision' | 'promotion' | 'unknown';
  readonly revision?: string;
  readonly path?: string;
  /** Argo CD starts with it when the rings before are healthy. */
  readonly rolling?: true;
}

/** A cluster, or the folder of the objects with which Argo CD deploys all of them. */
export interface ClusterSummary {
  readonly name: string;
  readonly state: 'added' | 'removed' | 'changed' | 'unchanged';
  /** The ring of the cluster, if the output names it. */
  readonly ring?: string;
  /** The name of the cluster in the earlier output, if different: its folder there is compared. */
  readonly renamedFrom?: string;
}

interface OfSome {
  /** Absent if it concerns all clusters of its group. */
  readonly clusters?: readonly string[];
}

/** One change of the mesh, as far as it can be identified: items that change together in the same clusters. */
export interface DiffGroup {
  /** Clusters, by name. */
  readonly clusters: readonly string[];
  /** The rings of these clusters, in the platform's order: how many clusters of each are in the group, and in total. */
  readonly rings: readonly RingShare[];
  /** The most severe first; with `clusters` if it concerns only some of the group. */
  readonly consequences: readonly (Consequence & OfSome)[];
  readonly changes: readonly GroupChange[];
}

/** A change of a group; with `clusters`, for it or for a field, if it concerns only some of the group. */
export type GroupChange = Omit<Change, 'fields'> & OfSome & { readonly fields: readonly GroupField[] };
export type GroupField = FieldDifference & OfSome;

/** The share of a ring. */
export interface RingShare {
  readonly ring: string;
  readonly clusters: number;
  readonly of: number;
}

/** A changed file, or the object in it. */
export interface Change {
  /**
   * Path in the cluster's folder: that of the later output, if it has the file. Its fields may also be in other groups.
   */
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
   * The path to the difference within a string of YAML or JSON at `path`. The values are those of its content; its
   * order, white space and comments are not shown.
   */
  readonly within?: ValuePath;
  /** A change that every release brings: version labels, image tags, checksums. */
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
