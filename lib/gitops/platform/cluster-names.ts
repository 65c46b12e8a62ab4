import { errorsAt, type Finding } from '../../kubernetes/findings/finding';
import { checkDnsLabel } from '../../kubernetes/names';
import type { ClusterDefinition } from '../synth/build-cluster';
import { ARGOCD_FOLDER } from '../synth/output/file-names';

/** Checks that the output has one folder for each cluster, and that there are any. */
export function checkClusterNames(clusters: readonly ClusterDefinition[]): readonly Finding[] {
  const names = new Set(clusters.map(({ name }) => name));
  return [
    ...[...names].flatMap((name) => errorsAt(name, checkDnsLabel('The name of the cluster', name))),
    ...[...repeatedNames(clusters)].flatMap((name) => errorsAt(name, [repeatedCluster(name)])),
    ...(names.has(ARGOCD_FOLDER) ? errorsAt(ARGOCD_FOLDER, [RESERVED]) : []),
    ...(names.size === 0 ? errorsAt('platform', [NO_CLUSTER]) : []),
  ];
}

/**
 * The clusters that can be built although names may be wrong, which are problems of their own: those whose name can be
 * that of a folder and a construct, and the first one of each name.
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

const RESERVED = {
  code: 'cluster-name-reserved',
  what: `A cluster is called "${ARGOCD_FOLDER}"`,
  why: 'The folder of that name has the objects by which Argo CD deploys all clusters',
  fix: 'choose another name',
};

const NO_CLUSTER = {
  code: 'clusters-missing',
  what: 'The platform has no clusters',
  why: 'All that was written for clusters before would be deleted',
  fix: 'add one: platform.addCluster(name, props, build)',
};

function repeatedCluster(name: string) {
  return {
    code: 'cluster-name-repeated',
    what: `Two clusters are called "${name}"`,
    why: 'Either would overwrite the files of the other',
    fix: 'give each cluster a name of its own',
  };
}
