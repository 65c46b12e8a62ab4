import { FileReader } from '../../gitops/changes/file-contents';
import { LIFTED_ERRORS } from '../../linkerd/warnings';
import type { Inflate } from '../compare/chart-moves';
import type { Output } from '../compare/output';
import { type ClusterPlan, clusterPlan } from './cluster-plan';
import type { PlanFinding } from './plan-findings';

/** All that differs between two outputs of a platform, and the order in which it is to come to its clusters. */
export interface UpgradePlan {
  /** Clusters with equal plans are one group. */
  readonly groups: readonly ClusterGroup[];
  /** Tells whether something in it is an error. */
  readonly refused: boolean;
}

/** Clusters and what they have in common. */
export interface ClusterGroup {
  readonly clusters: readonly string[];
  readonly plan: ClusterPlan;
}

/** The same plan, in which errors of some codes are acknowledged, as far as an acknowledgement lifts them. */
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
