import { ADMISSION_WEBHOOKS_DISABLED, ADMISSION_WEBHOOKS_LABEL } from '../../../api/names';
import type { KubeObject } from '../../runtime/objects/kube-object';
import type { Deployment } from '../kinds/deployment';
import type { Workload } from '../kinds/workload';
import type { PodDisruptionBudget } from '../objects/disruption-budget';
import { asks, type Pod } from '../objects/pod';

/** All that a plan is made from: objects as they were last seen. */
export interface ClusterView {
  readonly namespaces: readonly KubeObject[];
  /** The pods that ask to be restarted, by their label. */
  readonly pods: readonly Pod[];
  /** Their ReplicaSets. */
  readonly replicaSets: readonly KubeObject[];
  readonly workloads: readonly Workload[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly injector?: Deployment;
  /** The pods of the injector's namespace. */
  readonly injectorPods: readonly Pod[];
  /** Whether a kind of workload is still being read for the first time: one that is not there may be. */
  readonly isIncomplete: boolean;
  /** Why restarts of workloads were refused of late, by the workload's id. */
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
