import type { Values } from '#base/values';

/** What happens to the configuration when its LinkerdConfig is deleted. */
export type DeletionPolicy = 'Retain' | 'Restore';

/** The spec of a LinkerdConfig, after the API server has filled in the defaults. */
export interface LinkerdConfigSpec {
  readonly controlPlaneNamespace: string;
  /** Name of the control plane's ConfigMap whose `values` are overridden. */
  readonly configMapName: string;
  readonly deletionPolicy: DeletionPolicy;
  /** Maximum number of workloads that restart at a time. */
  readonly maxUnavailableWorkloads: number;
  /**
   * Seconds after which a restart counts as stuck. If its new proxies do not start, all restarts stop. Otherwise, the
   * next workload restarts.
   */
  readonly progressDeadlineSeconds: number;
  /** Values of the control plane's chart that override those of the installation. */
  readonly values?: Values;
}

/** The defaults of {@link LinkerdConfigSpec}. */
export const CONFIG_DEFAULTS = {
  controlPlaneNamespace: 'linkerd',
  configMapName: 'linkerd-config',
  deletionPolicy: 'Retain',
  maxUnavailableWorkloads: 1,
  progressDeadlineSeconds: 600,
} as const satisfies LinkerdConfigSpec;

/**
 * Maximum number of workloads that may restart at a time: the status names them all, and must fit into etcd's request
 * limit of 1.5 MiB.
 */
export const MAX_UNAVAILABLE_WORKLOADS = 1_000;

/** Returns the name of the ConfigMap with the installation's values, by the name of the control plane's ConfigMap. */
export function baselineName(configMapName: string): string {
  return `${configMapName}-baseline`;
}
