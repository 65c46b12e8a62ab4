import { type Finding, findingsAt } from '#base/findings/finding';
import { checkDnsLabel } from '#kubernetes/names';
import type { ClusterDefinition } from '../synth/build-cluster';
import { ARGOCD_FOLDER } from '../synth/output/file-names';
import { PLATFORM_FINDINGS } from './findings';

/** Checks that each cluster has a folder of its own, and that there is at least one. */
export function checkClusterNames(clusters: readonly ClusterDefinition[]): readonly Finding[] {
  const names = new Set(clusters.map(({ name }) => name));
  const owner = 'the folder of the Argo CD objects';
  const reserved = PLATFORM_FINDINGS.clusterNameTaken({ name: ARGOCD_FOLDER, owner });
  return [
    ...[...names].flatMap((name) => findingsAt(name, checkDnsLabel('The name of the cluster', name))),
    ...[...repeatedNames(clusters)].flatMap((name) =>
      findingsAt(name, [PLATFORM_FINDINGS.clusterNameTaken({ name, owner: 'another cluster' })]),
    ),
    ...(names.has(ARGOCD_FOLDER) ? findingsAt(ARGOCD_FOLDER, [reserved]) : []),
    ...(names.size === 0 ? findingsAt('platform', [PLATFORM_FINDINGS.clustersMissing()]) : []),
  ];
}

/**
 * Returns the clusters that can be built: those with a valid name, and only the first of each name. The others are
 * reported separately.
 */
export function buildable(clusters: readonly ClusterDefinition[]): readonly ClusterDefinition[] {
  const first = new Map(clusters.toReversed().map((cluster) => [cluster.name, cluster]));
  return clusters.filter((cluster) => {
    return first.get(cluster.name) === cluster && checkDnsLabel('name', cluster.name).length === 0;
  });
}

function repeatedNames(clusters: readonly ClusterDefinition[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { name } of clusters) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}
