import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { ADMISSION_WEBHOOKS_DISABLED } from '#linkerd/annotation-values';
import { ADMISSION_WEBHOOKS } from '#linkerd/annotations';
import type { Deployment } from '../kinds/deployment';
import type { Workload } from '../kinds/workload';
import type { PodDisruptionBudget } from '../objects/disruption-budget';
import { asks, type Pod } from '../objects/pod';

/** The objects behind a plan, as last seen. */
export interface ClusterView {
  readonly namespaces: readonly KubeObject[];
  /** The pods whose label requests restarts. */
  readonly pods: readonly Pod[];
  /** The ReplicaSets of these pods. */
  readonly replicaSets: readonly KubeObject[];
  readonly workloads: readonly Workload[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly injector?: Deployment;
  /** The pods of the injector's namespace. */
  readonly injectorPods: readonly Pod[];
  /** True while a kind of workload is being read for the first time: a missing workload may exist. */
  readonly isIncomplete: boolean;
  /** The reasons why restarts were recently rejected, by the workload's id. */
  readonly rejections: ReadonlyMap<string, string>;
}

/** Returns the names of the namespaces whose pods get proxies by default. */
export function proxiedNamespaces(namespaces: readonly KubeObject[]): ReadonlySet<string> {
  return new Set(namespaces.filter(asks).map(({ metadata }) => metadata.name));
}

/** Returns the names of the namespaces that are excluded from injection. */
export function excludedNamespaces(namespaces: readonly KubeObject[]): ReadonlySet<string> {
  return new Set(
    namespaces
      .filter(({ metadata }) => metadata.labels?.[ADMISSION_WEBHOOKS] === ADMISSION_WEBHOOKS_DISABLED)
      .map(({ metadata }) => metadata.name),
  );
}
