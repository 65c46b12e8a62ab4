import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';

/** All objects of the chart of `scope`, for rules that look at more than their own construct. */
export function apiObjectsAround(scope: IConstruct): readonly ApiObject[] {
  return Chart.of(scope)
    .node.findAll()
    .filter((construct) => ApiObject.isApiObject(construct));
}
