import { App } from 'cdk8s';
import { describeException } from '../../kubernetes/findings/exception';
import { errorsAt, type Finding } from '../../kubernetes/findings/finding';
import type { Problem } from '../../kubernetes/findings/problem';
import { Cluster, type ClusterProps } from '../tree/cluster';
import { type ClusterFacts, factsOf } from '../tree/cluster-facts';
import { TREE_FINDINGS } from '../tree/findings';
import { prepareTree } from '../tree/prepare';
import { PropsError } from '../tree/prop-of-shape';
import { readTree } from '../tree/read-tree';
import { SYNTH_FINDINGS } from './findings';
import { type ClusterOutput, synthCluster } from './synth-cluster';

/** A cluster that is yet to be built. */
export interface ClusterDefinition {
  readonly name: string;
  readonly props: ClusterProps;
  /** Creates the constructs of the cluster. */
  readonly build: (cluster: Cluster) => void;
}

/**
 * The facts about clusters that others have asked for, or that were built anyway, by their definitions; undefined for
 * those that cannot be built.
 */
const KNOWN_FACTS = new WeakMap<ClusterDefinition, ClusterFacts | undefined>();

/** The clusters that are built for their facts right now. */
const ASKED = new Set<ClusterDefinition>();

/**
 * Returns what a cluster's constructs tell those of others; nothing where they cannot be built, which is reported where
 * the cluster is. They are built for it, and dropped, unless that has been done before: whoever links to a cluster need
 * not wait until its turn has come, and is right about it though it may be left out.
 */
export function factsAbout(definition: ClusterDefinition): ClusterFacts | undefined {
  // A cluster that asks for the facts of one while it is built, which asks for its own, gets none.
  if (KNOWN_FACTS.has(definition) || ASKED.has(definition)) return KNOWN_FACTS.get(definition);
  ASKED.add(definition);
  try {
    const cluster = newCluster(definition);
    const result: unknown = definition.build(cluster);
    if (isPromise(result)) result.then(undefined, () => {});
    else noteFacts(definition, cluster);
  } catch {
    // Whoever links to it asks several times.
  } finally {
    ASKED.delete(definition);
  }
  const facts = KNOWN_FACTS.get(definition);
  // What one that is being built does not tell yet may be all that was missing.
  if (ASKED.size === 0) KNOWN_FACTS.set(definition, facts);
  return facts;
}

function noteFacts(definition: ClusterDefinition, cluster: Cluster): void {
  KNOWN_FACTS.set(definition, factsOf(cluster));
}

function newCluster({ name, props }: ClusterDefinition): Cluster {
  // Given explicitly so that the environment, which cdk8s would ask, has no say.
  return new Cluster(new App({ outdir: '', recordConstructMetadata: false }), name, props);
}

/** The result of building a definition: without an inventory if it could not be built. */
export type BuiltCluster = Omit<ClusterOutput, 'inventory' | 'installed'> &
  Partial<Pick<ClusterOutput, 'inventory' | 'installed'>>;

/**
 * Builds one cluster in an App of its own and turns it into files. Nothing refers to the tree afterwards, so the memory
 * that all clusters take is that of one. (App.synth is never called: its time is quadratic in the number of charts.)
 */
export function buildCluster(definition: ClusterDefinition): BuiltCluster {
  try {
    return build(definition);
  } catch (error) {
    return refused(errorsAt(definition.name, [failure('Reading', error)]));
  }
}

function build(definition: ClusterDefinition): BuiltCluster {
  const { name, build } = definition;
  const cluster = newCluster(definition);
  try {
    const result: unknown = build(cluster);
    if (isPromise(result)) return refused(errorsAt(name, [unfinished(result)]));
    noteFacts(definition, cluster);
  } catch (error) {
    return failed(cluster, failureOf(name, error));
  }
  try {
    prepareTree(cluster, 'Platform');
  } catch (error) {
    return failed(cluster, errorsAt(name, [failure('Preparing', error)]));
  }
  const output = synthCluster(cluster);
  const isEmpty = output.files.size === 0 && output.findings.every(({ severity }) => severity === 'warning');
  return isEmpty
    ? { ...output, findings: [...output.findings, ...errorsAt(name, [SYNTH_FINDINGS.clusterEmpty()])] }
    : output;
}

/** The findings of a cluster that is not complete. It is not prepared: a construct may be half of one. */
function failed(cluster: Cluster, failures: readonly Finding[]): BuiltCluster {
  const { findings, acknowledgements } = readTree(cluster);
  return refused([...failures, ...findings], acknowledgements);
}

function failureOf(cluster: string, error: unknown): readonly Finding[] {
  if (error instanceof PropsError) return errorsAt(error.path, error.problems);
  return errorsAt(cluster, [failure('Building', error)]);
}

function failure(doing: string, error: unknown): Problem {
  return TREE_FINDINGS.buildFailed({ step: `${doing} the cluster`, error: describeException(error) });
}

function refused(findings: readonly Finding[], acknowledgements: BuiltCluster['acknowledgements'] = []): BuiltCluster {
  return { files: new Map(), findings, acknowledgements };
}

/** To the compiler a function that returns something, a Promise included, is as good as one that returns nothing. */
function isPromise(result: unknown): result is PromiseLike<unknown> {
  return typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function';
}

function unfinished(result: PromiseLike<unknown>): Problem {
  // Whatever becomes of it comes too late, and is not to end the process.
  result.then(undefined, () => {});
  return SYNTH_FINDINGS.clusterBuiltAsync();
}
