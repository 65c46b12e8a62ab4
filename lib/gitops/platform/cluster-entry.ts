import type { ClusterProps } from '../tree/cluster';

/** A cluster as data: its name, the props of the Platform's `addCluster`, and what its constructs are built from. */
export interface ClusterEntry<Settings, RingName extends string = string> extends ClusterProps<RingName> {
  /** Name of its folder: a DNS label. */
  readonly name: string;
  /** Settings of your own for the function that builds it. */
  readonly settings: Settings;
}
