import type { IConstruct } from 'constructs';

/** Marks a Cluster, whose Platform reads, checks and reports what is in it. */
export const CLUSTER = Symbol.for('cdk8s-linkerd.Cluster');

/** Whether nobody but cdk8s itself looks at a construct: it validates it, and prints no warnings. */
export function isInPlainApp(construct: IConstruct): boolean {
  return !construct.node.scopes.some((scope) => CLUSTER in scope);
}
