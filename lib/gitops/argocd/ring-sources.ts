import { type GitSource, type ResolvedGitSource, resolveGitSource } from './git-source';
import type { RingClusters } from './ring';

/** A source of which revision and folder may depend on the cluster: Go templates over the name of a fleet's cluster. */
export interface ClusterSource extends ResolvedGitSource {
  /** The ring's name, as such a template; undefined without rings. */
  readonly ring?: string;
  /** The prefix of the folders of one cluster. */
  prefixOf(cluster: string): string;
}

/**
 * The source of several clusters in rings. A cluster that is in none of them is taken for one of the last ring, which
 * gets everything last: Argo CD may know clusters that the output does not.
 */
export function ringSource(source: GitSource, rings: readonly RingClusters[] = []): ClusterSource {
  const own = resolveGitSource(source);
  const last = rings.at(-1);
  if (last === undefined) return { ...own, prefixOf: () => own.prefix };
  const sources = new Map(rings.map((ring) => [ring, resolveGitSource(ofRing(source, ring))]));
  const ofCluster = new Map(rings.flatMap((ring) => ring.clusters.map((cluster) => [cluster, ring] as const)));
  const sourceOf = (ring: RingClusters) => sources.get(ring) ?? own;
  const byRing = (read: (ring: RingClusters) => string) => byCluster(ofCluster, read, read(last));
  return {
    repoUrl: own.repoUrl,
    revision: byRing((ring) => sourceOf(ring).revision),
    prefix: byRing((ring) => sourceOf(ring).prefix),
    ring: byRing(({ name }) => name),
    prefixOf: (cluster) => sourceOf(ofCluster.get(cluster) ?? last).prefix,
  };
}

/** The source of one ring's clusters: what the ring says, and else what the platform does. */
function ofRing({ repoUrl, revision, path }: GitSource, ring: Omit<RingClusters, 'clusters'>): GitSource {
  return { repoUrl, revision: ring.revision ?? revision, path: ring.path ?? path };
}

/** A template for what follows from a cluster's ring, looked up by name where it is not what the last ring has. */
function byCluster(
  rings: ReadonlyMap<string, RingClusters>,
  read: (ring: RingClusters) => string,
  otherwise: string,
): string {
  const named = [...rings].map(([name, ring]) => [name, read(ring)] as const);
  const entries = named.filter(([, value]) => value !== otherwise).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return otherwise;
  const words = entries.flat().map((text) => JSON.stringify(text));
  return `{{ get (dict ${words.join(' ')}) .name | default ${JSON.stringify(otherwise)} }}`;
}
