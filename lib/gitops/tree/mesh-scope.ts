import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';

/** Marks a Cluster, whose Platform reads, checks and reports what is in it. */
export const CLUSTER = Symbol.for('cdk8s-linkerd.Cluster');

/**
 * The scope in which all of the mesh at `scope` is: the cluster, whatever charts it is divided into, or in a plain App the
 * chart. What looks for objects of others looks from here, and what is made once for all of them is made here.
 */
export function meshScopeOf(scope: IConstruct): Chart {
  return scope.node.scopes.find((one): one is Chart => CLUSTER in one) ?? Chart.of(scope);
}
