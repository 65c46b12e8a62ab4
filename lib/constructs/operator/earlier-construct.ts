import type { IConstruct } from 'constructs';
import { meshScopeOf } from '../../gitops/tree/mesh-scope';

/**
 * The first construct of a class that the chart of `construct` has beside it, asked for while `construct` is made: for
 * rules on what a cluster can have once.
 */
export function earlierConstruct<T extends IConstruct>(
  construct: IConstruct,
  type: new (...args: never[]) => T,
): T | undefined {
  const constructs = meshScopeOf(construct).node.findAll();
  return constructs.find((other): other is T => other instanceof type && other !== construct);
}
