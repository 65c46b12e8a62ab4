import type { IConstruct } from 'constructs';
import { meshScopeOf } from '../../gitops/tree/mesh-scope';

/**
 * Returns the first construct of a class in the chart of `construct`, other than `construct` itself. Call it at
 * construction time, for rules about constructs that a cluster may have only once.
 */
export function earlierConstruct<T extends IConstruct>(
  construct: IConstruct,
  type: new (...args: never[]) => T,
): T | undefined {
  const constructs = meshScopeOf(construct).node.findAll();
  return constructs.find((other): other is T => other instanceof type && other !== construct);
}
