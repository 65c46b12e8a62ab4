import type { ClusterProps } from '../tree/cluster';

/** A cluster as data: its name, the props of the Platform's `addCluster`, and the settings of its constructs. */
export interface ClusterEntry<Settings, RingName extends string = string> extends ClusterProps<RingName> {
  /** Name of the cluster's folder: a DNS label. */
  readonly name: string;
  /** Your own settings, for the function that builds the cluster. */
  readonly settings: Settings;
}
