import { listed } from '#base/findings/listed';
import { earliest, type StatusFinding } from '../finding';
import { type FleetStatus, SEVERITIES } from '../status';

/** A finding, and the clusters that have it. */
export interface FindingGroup extends StatusFinding {
  readonly clusters: readonly string[];
}

/**
 * Returns the findings of all clusters, the worst first. Findings that differ only in their command and their time form
 * one group, with the command for the first cluster.
 */
export function groupsOf({ clusters, findings }: FleetStatus): readonly FindingGroup[] {
  const groups = new Map<string, { clusters: string[]; findings: StatusFinding[] }>();
  const add = (finding: StatusFinding, cluster: readonly string[]) => {
    const { code, what, why } = finding.problem;
    const key = JSON.stringify([code, what, why]);
    const group = groups.get(key) ?? { clusters: [], findings: [] };
    group.clusters.push(...cluster);
    group.findings.push(finding);
    groups.set(key, group);
  };
  for (const finding of findings) add(finding, []);
  for (const { cluster, findings: own } of clusters) for (const finding of own) add(finding, [cluster]);
  const all = [...groups.values()].flatMap(({ clusters: names, findings: equal }) => {
    const [first] = equal;
    const since = earliest(equal.map((one) => one.since));
    return first === undefined ? [] : [{ ...first, ...(since !== undefined && { since }), clusters: names }];
  });
  return all.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** Maximum number of findings in text and in annotations; JSON contains all findings. */
export const MAX_FINDINGS = 100;

const MAX_CLUSTERS = 8;

/** Formats the clusters of a finding. */
export function clustersText(clusters: readonly string[]): string {
  return listed(clusters, MAX_CLUSTERS);
}
