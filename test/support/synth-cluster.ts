import { type ClusterOutput, synthCluster as synthPrepared } from '#lib/gitops/synth/build-cluster';
import type { Cluster } from '#lib/gitops/tree/cluster';
import { prepareTree } from '#lib/gitops/tree/prepare';

/** Prepares a cluster, and synthesizes its files. */
export function synthCluster(cluster: Cluster): ClusterOutput {
  prepareTree(cluster, 'Platform');
  return synthPrepared(cluster);
}
