import type { Values } from '#base/values';
import type { Reference } from '#kubernetes/objects/references';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import type { Placed, PlacedObject } from '../object-rule';

/** A Helm chart to release, with all its values. */
export interface Release {
  readonly chart: PinnedChart;
  readonly namespace: string;
  readonly values: Values;
}

/** A chart to release. */
export interface PlacedRelease extends Placed {
  readonly release: Release;
}

/** What a construct contributes to the reference check in addition to its objects. */
export interface Declarations {
  /** Objects that a chart or a controller creates because of this construct, although no manifest contains them. */
  readonly provides?: readonly Reference[];
  /**
   * Objects that this construct needs although no manifest names them, for example because the pods of a chart mount
   * them.
   */
  readonly requires?: readonly Reference[];
  /** Objects that exist outside the synthesized output, as declared by the user. */
  readonly external?: readonly Reference[];
}

/** The declarations of a construct for the reference check. */
export interface PlacedDeclarations extends Placed {
  readonly declarations: Declarations;
}

/** What rules read of a cluster: of constructs, or of users' files. */
export interface CheckedCluster {
  readonly objects: readonly PlacedObject[];
  readonly releases: readonly PlacedRelease[];
  /** The releases whose objects are rendered without Helm. */
  readonly rendered: readonly (Release & Placed)[];
  /** The values of the control planes to which pods belong. */
  readonly meshes: readonly Values[];
  readonly declarations: readonly PlacedDeclarations[];
  /** The constructs' own rules. */
  readonly rules: readonly unknown[];
}
