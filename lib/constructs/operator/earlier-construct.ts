import type { IConstruct } from 'constructs';
import { constructsSoFar } from '../../gitops/tree/late-children';
import { meshScopeOf } from '../../gitops/tree/mesh-scope';

/**
 * The first construct of a class that the chart of `construct` has beside it, asked for while `construct` is made: for
 * rules on what a cluster can have once.
 */
export function earlierConstruct<T extends IConstruct>(
  construct: IConstruct,
  type: new (...args: never[]) => T,
): T | undefined {
  return constructsSoFar(meshScopeOf(construct)).find(
    (other): other is T => other instanceof type && other !== construct,
  );
}
