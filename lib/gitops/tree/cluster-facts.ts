import type { IConstruct } from 'constructs';
import type { Cluster } from './cluster';

const FACTS = 'cdk8s-linkerd:facts';

/** The facts that a cluster's constructs publish for other clusters, by topic. */
export type ClusterFacts = ReadonlyMap<string, readonly unknown[]>;

interface PublishedFact {
  readonly topic: string;
  readonly find: () => unknown;
}

/**
 * Publishes a fact about this cluster for the constructs of other clusters: plain data, because the constructs no
 * longer exist when it is read. It is evaluated when all constructs of the cluster exist, and must not depend on facts
 * about other clusters.
 */
export function tellOthers(cluster: Cluster, topic: string, find: () => unknown): void {
  const fact: PublishedFact = { topic, find };
  cluster.node.addMetadata(FACTS, fact);
}

/** Returns all facts that the constructs of a cluster publish. Call it when all of them exist. */
export function factsOf(cluster: IConstruct): ClusterFacts {
  const published = cluster.node.metadata.filter(({ type }) => type === FACTS).map(({ data }) => data as PublishedFact);
  const facts = new Map<string, unknown[]>();
  for (const { topic, find } of published) facts.set(topic, [...(facts.get(topic) ?? []), find()]);
  return facts;
}
