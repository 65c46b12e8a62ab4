import { LIFTED_ERRORS } from '../../findings/warnings';
import { FileReader } from '../../gitops/changes/file-contents';
import type { Inflate } from '../compare/chart-moves';
import type { Output } from '../compare/output';
import { type ClusterPlan, clusterPlan } from './cluster-plan';
import type { PlanFinding } from './plan-findings';

/** All differences between two outputs of a platform, and the steps of the upgrade. */
export interface UpgradePlan {
  /** Clusters with equal plans form one group. */
  readonly groups: readonly ClusterGroup[];
  /** It contains an error. */
  readonly refused: boolean;
}

/** Clusters, and their common plan. */
export interface ClusterGroup {
  readonly clusters: readonly string[];
  readonly plan: ClusterPlan;
}

/** Returns the plan with errors of some codes acknowledged, if an acknowledgement lifts them. */
export function acknowledged({ groups }: UpgradePlan, codes: readonly string[]): UpgradePlan {
  return planOf(
    groups.map(({ clusters, plan }) => {
      const findings = plan.findings.map((finding) =>
        isLifted(finding, codes) ? { ...finding, severity: 'acknowledged' as const } : finding,
      );
      return { clusters, plan: { ...plan, findings } };
    }),
  );
}

function isLifted({ severity, problem: { code } }: PlanFinding, codes: readonly string[]): boolean {
  return severity === 'error' && LIFTED_ERRORS.has(code) && codes.includes(code);
}

function planOf(groups: readonly ClusterGroup[]): UpgradePlan {
  return { groups, refused: groups.some(({ plan }) => plan.findings.some(({ severity }) => severity === 'error')) };
}

/** Compares two outputs of a platform, cluster by cluster. */
export function upgradePlan(before: Output, after: Output, inflate: Inflate): UpgradePlan {
  const reader = new FileReader();
  const groups = new Map<string, { clusters: string[]; plan: ClusterPlan }>();
  for (const cluster of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const plan = clusterPlan(before.get(cluster), after.get(cluster), { reader, inflate });
    const key = JSON.stringify(plan);
    const group = groups.get(key) ?? { clusters: [], plan };
    group.clusters.push(cluster);
    groups.set(key, group);
  }
  return planOf([...groups.values()]);
}
