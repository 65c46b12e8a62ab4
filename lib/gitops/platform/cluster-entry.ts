import type { ClusterProps } from '../tree/cluster';

/** A cluster as data: its name, the props of the Platform's `addCluster`, and the settings of its constructs. */
export interface ClusterEntry<Settings, RingName extends string = string> extends ClusterProps<RingName> {
  /** Name of its folder: a DNS label. */
  readonly name: string;
  /** Your own settings, for the function that builds it. */
  readonly settings: Settings;
}
