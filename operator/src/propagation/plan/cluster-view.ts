import { ADMISSION_WEBHOOKS_DISABLED, ADMISSION_WEBHOOKS_LABEL } from '../../../api/names';
import type { KubeObject } from '../../runtime/objects/kube-object';
import type { Deployment } from '../kinds/deployment';
import type { Workload } from '../kinds/workload';
import type { PodDisruptionBudget } from '../objects/disruption-budget';
import { asks, type Pod } from '../objects/pod';

/** The objects that a plan is made from, as they were last seen. */
export interface ClusterView {
  readonly namespaces: readonly KubeObject[];
  /** The pods that ask by their label to be restarted. */
  readonly pods: readonly Pod[];
  /** The ReplicaSets of these pods. */
  readonly replicaSets: readonly KubeObject[];
  readonly workloads: readonly Workload[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly injector?: Deployment;
  /** The pods of the injector's namespace. */
  readonly injectorPods: readonly Pod[];
  /** True while a kind of workload is read for the first time: a missing workload may exist. */
  readonly isIncomplete: boolean;
  /** The reasons why restarts were rejected of late, by the workload's id. */
  readonly rejections: ReadonlyMap<string, string>;
}

/** Names of the namespaces whose pods get proxies where they say nothing themselves. */
export function proxiedNamespaces(namespaces: readonly KubeObject[]): ReadonlySet<string> {
  return new Set(namespaces.filter(asks).map(({ metadata }) => metadata.name));
}

/** Names of the namespaces that are kept out of the injector's reach. */
export function excludedNamespaces(namespaces: readonly KubeObject[]): ReadonlySet<string> {
  return new Set(
    namespaces
      .filter(({ metadata }) => metadata.labels?.[ADMISSION_WEBHOOKS_LABEL] === ADMISSION_WEBHOOKS_DISABLED)
      .map(({ metadata }) => metadata.name),
  );
}
