import type { Values } from './kubernetes/values-merge';

/** The fate of the configuration when its LinkerdConfig is deleted. */
export type DeletionPolicy = 'Retain' | 'Restore';

/** The spec of a LinkerdConfig, after the API server filled in the defaults. */
export interface LinkerdConfigSpec {
  readonly controlPlaneNamespace: string;
  /** Name of the control plane's ConfigMap whose `values` are laid over. */
  readonly configMapName: string;
  readonly deletionPolicy: DeletionPolicy;
  /** Workloads that restart at a time. */
  readonly maxUnavailableWorkloads: number;
  /**
   * The seconds after which a restart stops the others, if its new pods do not come up, or gives its place to the next.
   */
  readonly progressDeadlineSeconds: number;
  /** Values of the control plane's chart to lay over those of the installation. */
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

/** Most workloads that may restart at a time: the status names them all, and must fit into etcd's request of 1.5 MiB. */
export const MOST_UNAVAILABLE_WORKLOADS = 1_000;

/** Name of the ConfigMap that keeps what the installation says, by the name of the ConfigMap that it is about. */
export function baselineName(configMapName: string): string {
  return `${configMapName}-baseline`;
}

/** metav1.Condition. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}
