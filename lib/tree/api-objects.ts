import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { plainJson } from './plain-json';

/** All objects of the chart of `scope`, for rules that look at more than their own construct. */
export function apiObjectsAround(scope: IConstruct): readonly ApiObject[] {
  return Chart.of(scope)
    .node.findAll()
    .filter((construct) => ApiObject.isApiObject(construct));
}

/**
 * An object as rules of other constructs look at it; nothing where it holds what cannot be written, which is reported
 * with the object itself.
 */
export function jsonOf(object: ApiObject): readonly KubernetesObject[] {
  try {
    return [plainJson(object) ?? (object.toJson() as KubernetesObject)];
  } catch {
    return [];
  }
}
