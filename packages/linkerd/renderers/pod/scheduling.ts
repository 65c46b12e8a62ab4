import type { Toleration } from '#imports/kubernetes';
import { isEmpty } from '../empty';

/** The nodes on which pods may run. */
export interface Placement {
  readonly nodeSelector: Readonly<Record<string, string>> | undefined;
  readonly tolerations: readonly Toleration[] | undefined;
}

/** Returns the scheduling fields of a pod. */
export function scheduling({ nodeSelector, tolerations }: Placement): Placement {
  return { nodeSelector, tolerations: isEmpty(tolerations) ? undefined : tolerations };
}
