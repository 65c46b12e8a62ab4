import type { ResourceRequirements } from '#imports/kubernetes';
import { isEmpty } from '../empty';

type Quantity = string | number;

interface Bounds {
  readonly limit?: Quantity | undefined;
  readonly request?: Quantity | undefined;
}

/** The resources of a container in the form of Linkerd's charts. */
export interface ResourceValues {
  readonly cpu?: Bounds | undefined;
  readonly memory?: Bounds | undefined;
  readonly 'ephemeral-storage'?: Bounds | undefined;
}

/** Returns the resources of a container in Kubernetes' form, if there are any. */
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
