import type { Problem } from '#base/findings/problem';
import { keysOf } from '#kubernetes/options/known-keys';
import { checkAmount, type ResourceRange } from './proxy-values/quantity';

/** Resources of a container, in the form of Linkerd's charts. */
export type Resources = {
  /**
   * Cores, such as `1` or `100m`.
   *
   * @default - neither request nor limit
   */
  readonly cpu?: ResourceRange;
  /**
   * Bytes, such as `250Mi`.
   *
   * @default - neither request nor limit
   */
  readonly memory?: ResourceRange;
};

/** The keys of ResourceRange. */
export const RESOURCE_RANGE = keysOf<ResourceRange>({ request: true, limit: true });

/** The keys of Resources. */
export const CONTAINER_RESOURCES = keysOf<Resources>(
  { cpu: RESOURCE_RANGE, memory: RESOURCE_RANGE },
  {
    requests: "cpu: { request: '100m' }, memory: { request: '250Mi' }",
    limits: "cpu: { limit: '1' }, memory: { limit: '250Mi' }",
  },
);

/** Reports resources that Kubernetes refuses in a pod. */
export function checkResources(field: string, resources: Resources): readonly Problem[] {
  return Object.entries(resources).flatMap(([resource, amount]: [string, ResourceRange | undefined]) =>
    checkAmount(`${field}.${resource}`, amount ?? {}, resource !== 'cpu'),
  );
}
