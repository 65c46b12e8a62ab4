/** Names of a chart's release, beside its values. */
export interface RenderContext {
  /** Namespace of the release. */
  readonly namespace: string;

  /**
   * Name of the cluster, from which the minute of daily jobs follows.
   *
   * @default - the cluster domain
   */
  readonly clusterName?: string;
}
