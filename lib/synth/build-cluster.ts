import { App } from 'cdk8s';
import { describeException } from '../problems/exception';
import { errorsAt, type Finding } from '../problems/finding';
import type { Problem } from '../problems/problem';
import { Cluster, type ClusterProps } from '../tree/cluster';
import { readTree } from '../tree/read-tree';
import { type ClusterOutput, synthCluster } from './synth-cluster';

/** A cluster that is yet to be built. */
export interface ClusterDefinition {
  readonly name: string;
  readonly props: ClusterProps;
  /** Creates the constructs of the cluster. */
  readonly build: (cluster: Cluster) => void;
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

function build({ name, props, build }: ClusterDefinition): BuiltCluster {
  // Given explicitly so that the environment, which cdk8s would ask, has no say.
  const app = new App({ outdir: '', recordConstructMetadata: false });
  const cluster = new Cluster(app, name, props);
  try {
    const result: unknown = build(cluster);
    if (isPromise(result)) return refused(errorsAt(name, [unfinished(result)]));
  } catch (error) {
    const { findings, acknowledgements } = readTree(cluster);
    return refused([...errorsAt(name, [failure('Building', error)]), ...findings], acknowledgements);
  }
  const output = synthCluster(cluster);
  const isEmpty = output.files.size === 0 && output.findings.every(({ severity }) => severity === 'warning');
  return isEmpty ? { ...output, findings: [...output.findings, ...errorsAt(name, [NOTHING])] } : output;
}

function failure(doing: string, error: unknown): Problem {
  return {
    code: 'build-failed',
    what: `${doing} the cluster failed: ${describeException(error)}`,
    why: 'It is not known what else would be in it',
    fix: 'correct the code that throws',
  };
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
  return {
    code: 'cluster-built-async',
    what: 'The function that builds the cluster is async',
    why: 'It goes on after the cluster was read: what it adds then would be missing, and deleted where it was written before',
    fix: 'await what it needs before addCluster, and build the cluster from the result',
  };
}

const NOTHING = {
  code: 'cluster-empty',
  what: 'The function that builds the cluster adds nothing to it',
  why: 'All that was written for the cluster before would be deleted',
  fix: 'create constructs with the cluster as their scope, or remove the cluster from the platform',
};
