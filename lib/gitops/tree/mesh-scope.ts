import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';

/** Marks a Cluster, whose Platform reads, checks and reports its contents. */
export const CLUSTER = Symbol.for('cdk8s-linkerd.Cluster');

/**
 * Returns the scope of the whole mesh at `scope`: the cluster, even if it is divided into charts, or in a plain App the
 * chart. Constructs search it for objects of other constructs, and add shared objects to it.
 */
export function meshScopeOf(scope: IConstruct): Chart {
  return scope.node.scopes.find((one): one is Chart => CLUSTER in one) ?? Chart.of(scope);
}
