import type { ResourceRequirements } from '../../../../imports/kubernetes';
import { isEmpty } from '../empty';

type Quantity = string | number;

/** The amount of one resource that a container requests, and the most that it may use. */
interface Bounds {
  readonly limit?: Quantity | undefined;
  readonly request?: Quantity | undefined;
}

/** The resources of a container, as Linkerd's charts take them. */
export interface ResourceValues {
  readonly cpu?: Bounds | undefined;
  readonly memory?: Bounds | undefined;
  readonly 'ephemeral-storage'?: Bounds | undefined;
}

/** The resources of a container as Kubernetes takes them, if there are any. */
export function resources(values: ResourceValues | undefined): ResourceRequirements | undefined {
  const limits = quantities(values, 'limit');
  const requests = quantities(values, 'request');
  return limits === undefined && requests === undefined ? undefined : { limits, requests };
}

function quantities(values: ResourceValues | undefined, bound: keyof Bounds): Record<string, string> | undefined {
  const given: Record<string, string> = {};
  for (const resource of ['cpu', 'memory', 'ephemeral-storage'] as const) {
    const quantity = values?.[resource]?.[bound];
    if (quantity !== undefined && !isEmpty(quantity)) given[resource] = `${quantity}`;
  }
  return isEmpty(given) ? undefined : given;
}
