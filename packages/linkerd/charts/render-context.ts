/** The names of a chart's release, in addition to its values. */
export interface RenderContext {
  /** Namespace of the release. */
  readonly namespace: string;

  /**
   * Name of the cluster, which determines the minute of daily jobs.
   *
   * @default - the cluster domain
   */
  readonly clusterName?: string;
}
