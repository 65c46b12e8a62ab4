import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { ARGO_ROLLOUT_RULES, type ArgoRollout } from './argo-rollout';
import { DAEMON_SET_RULES, type DaemonSet } from './daemon-set';
import { DEPLOYMENT_RULES, type Deployment } from './deployment';
import type { RolloutRules } from './rollout-rules';
import { STATEFUL_SET_RULES, type StatefulSet } from './stateful-set';

/** A workload that can be restarted. */
export type Workload = Deployment | StatefulSet | DaemonSet | ArgoRollout;

const RULES: { readonly [K in Workload['kind']]: RolloutRules<Extract<Workload, { kind: K }>> } = {
  Deployment: DEPLOYMENT_RULES,
  StatefulSet: STATEFUL_SET_RULES,
  DaemonSet: DAEMON_SET_RULES,
  Rollout: ARGO_ROLLOUT_RULES,
};

/** Returns the rules of a workload's kind. */
export function rulesOf<W extends Workload>(workload: W): RolloutRules<W> {
  return RULES[workload.kind] as unknown as RolloutRules<W>;
}

/** Returns `namespace/Kind/name`, which names a workload in the status, and sorts workloads. */
export function workloadId({ kind, metadata }: KubeObject): string {
  return `${metadata.namespace}/${kind}/${metadata.name}`;
}

/** Returns the kind in a {@link workloadId}. */
export function kindOf(id: string): string | undefined {
  return id.split('/')[1];
}
