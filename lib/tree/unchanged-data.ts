import type { IConstruct } from 'constructs';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';

// By construct: cdk8s takes every object for an instance of any class of objects.
const UNCHANGED = new WeakMap<IConstruct, () => KubernetesObject | undefined>();

/** Says how a construct tells the data that it was made of, as long as nobody can have changed it. */
export function declareUnchanged(construct: IConstruct, data: () => KubernetesObject | undefined): void {
  UNCHANGED.set(construct, data);
}

/** The data that an object was made of, if it says so and nobody can have changed it. */
export function unchangedData(construct: IConstruct): KubernetesObject | undefined {
  return UNCHANGED.get(construct)?.();
}
