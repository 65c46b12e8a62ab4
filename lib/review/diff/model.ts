import type { ValueChange, ValuePath } from '../compare/value-changes';
import type { Consequence } from './consequences/consequence';

/**
 * The version of the format that `--format json` prints. It grows when something is removed or means something else;
 * members and codes of consequences may come without that.
 */
export const DIFF_VERSION = 2;

/** The difference of two outputs of a platform. */
export interface OutputDiff {
  readonly version: typeof DIFF_VERSION;
  readonly from: string;
  readonly to: string;
  /** The rings, in the order of the platform; empty where it has none, or the output does not say them. */
  readonly rings: readonly RingSummary[];
  /** All clusters of both outputs, by name. */
  readonly clusters: readonly ClusterSummary[];
  /** The changes, each told once with all clusters that have it; the gravest first. */
  readonly groups: readonly DiffGroup[];
}

/** A ring, and when its clusters get what changes. */
export interface RingSummary {
  readonly ring: string;
  /** The number of its clusters, and of those that change. */
  readonly clusters: number;
  readonly changed: number;
  /**
   * `merge`: when the change is merged. `revision`: when the revision that the ring follows moves on. `promotion`: when
   * its output is promoted to the folder that it is read from. `unknown`: the output does not say.
   */
  readonly reach: 'merge' | 'revision' | 'promotion' | 'unknown';
  readonly revision?: string;
  readonly path?: string;
  /** Tells that Argo CD begins with it when the rings before are healthy. */
  readonly rolling?: true;
}

/** A cluster, or the folder of the objects by which Argo CD deploys all of them. */
export interface ClusterSummary {
  readonly name: string;
  readonly state: 'added' | 'removed' | 'changed' | 'unchanged';
  /** The ring in which the cluster gets new versions, if the output says one. */
  readonly ring?: string;
}

/** Clusters that have something, where they are not all that the whole is about. */
interface OfSome {
  readonly clusters?: readonly string[];
}

/** One change of the mesh, as far as can be made out: what comes and goes together in the same clusters. */
export interface DiffGroup {
  /** Clusters, by name. */
  readonly clusters: readonly string[];
  /** The rings of these clusters, in the order of the platform: how many of their clusters are in the group, and of how many. */
  readonly rings: readonly RingShare[];
  /** The gravest first; `clusters` where only some of the group have it. */
  readonly consequences: readonly (Consequence & OfSome)[];
  readonly changes: readonly GroupChange[];
}

/** A change of a group: `clusters`, of it or of a field, where only some of the group, or of the change, have it. */
export type GroupChange = Omit<Change, 'fields'> & OfSome & { readonly fields: readonly GroupField[] };
export type GroupField = FieldDifference & OfSome;

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
