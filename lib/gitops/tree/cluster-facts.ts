import type { IConstruct } from 'constructs';
import type { Cluster } from './cluster';

const FACTS = 'cdk8s-linkerd:facts';

/** The facts about a cluster that its constructs tell those of other clusters, by topic. */
export type ClusterFacts = ReadonlyMap<string, readonly unknown[]>;

/** A topic, and how what is told of it is found. */
interface Told {
  readonly topic: string;
  readonly find: () => unknown;
}

/**
 * Tells the constructs of other clusters a fact about this one: plain data, as the constructs are gone when it is asked
 * for. It is found when all constructs of the cluster are there, and must not depend on facts about others.
 */
export function tellOthers(cluster: Cluster, topic: string, find: () => unknown): void {
  const told: Told = { topic, find };
  cluster.node.addMetadata(FACTS, told);
}

/** All that the constructs of a cluster tell those of others. To be read when all of them are there. */
export function factsOf(cluster: IConstruct): ClusterFacts {
  const told = cluster.node.metadata.filter(({ type }) => type === FACTS).map(({ data }) => data as Told);
  const facts = new Map<string, unknown[]>();
  for (const { topic, find } of told) facts.set(topic, [...(facts.get(topic) ?? []), find()]);
  return facts;
}
