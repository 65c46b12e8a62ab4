import { WARNING_CODES } from '../../checks/warnings';
import { FileReader } from '../../gitops/changes/file-contents';
import { CHANGE_FINDINGS } from '../../gitops/changes/findings';
import { ARGOCD_FOLDER } from '../../gitops/synth/output/file-names';
import type { Inflate } from '../compare/chart-moves';
import { clusterPairs } from '../compare/cluster-pairs';
import type { Output } from '../compare/output';
import { type ClusterPlan, clusterPlan } from './cluster-plan';
import type { PlanFinding } from './plan-findings';

/** All differences between two outputs of a platform, and the steps of the upgrade. */
export interface UpgradePlan {
  /** Clusters with equal plans form one group. */
  readonly groups: readonly ClusterGroup[];
  /** Whether the plan contains an error. */
  readonly refused: boolean;
}

/** Clusters, and their common plan. */
export interface ClusterGroup {
  readonly clusters: readonly string[];
  readonly plan: ClusterPlan;
}

/** Returns the plan with the errors of these codes acknowledged, as far as they can be acknowledged. */
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
  return severity === 'error' && Object.hasOwn(WARNING_CODES, code) && codes.includes(code);
}

function planOf(groups: readonly ClusterGroup[]): UpgradePlan {
  return { groups, refused: groups.some(({ plan }) => plan.findings.some(({ severity }) => severity === 'error')) };
}

/** Compares two outputs of a platform, cluster by cluster. The folders of Argo CD only show renamed clusters. */
export function upgradePlan(before: Output, after: Output, inflate: Inflate): UpgradePlan {
  const reader = new FileReader();
  const groups = new Map<string, { clusters: string[]; plan: ClusterPlan }>();
  for (const { name, renamedFrom, ...outputs } of clusterPairs(before, after, reader)) {
    if (name === ARGOCD_FOLDER) continue;
    const compared = clusterPlan(outputs.before, outputs.after, { reader, inflate });
    const plan = renamedFrom === undefined ? compared : renamed(compared, renamedFrom, name);
    const key = JSON.stringify(plan);
    const group = groups.get(key) ?? { clusters: [], plan };
    group.clusters.push(name);
    groups.set(key, group);
  }
  return planOf([...groups.values()]);
}

function renamed(plan: ClusterPlan, before: string, after: string): ClusterPlan {
  const finding: PlanFinding = { severity: 'warning', problem: CHANGE_FINDINGS.clusterRenamed({ before, after }) };
  return { ...plan, cluster: 'changed', findings: [finding, ...plan.findings] };
}
