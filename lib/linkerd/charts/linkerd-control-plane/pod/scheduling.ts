import type { PodSpec, Toleration } from '../../../../../imports/kubernetes';
import { isEmpty } from '../../empty';

/** Values that say where pods run. */
export interface SchedulingValues {
  readonly nodeSelector: Readonly<Record<string, string>> | undefined;
  readonly tolerations: readonly Toleration[] | undefined;
  readonly priorityClassName: string | undefined;
  readonly runtimeClassName: string | undefined;
}

type Scheduling = Pick<PodSpec, 'nodeSelector' | 'tolerations' | 'priorityClassName' | 'runtimeClassName'>;

/** Returns the fields of a pod that say where it runs, and before which others. */
export function scheduling(values: SchedulingValues): Scheduling {
  return {
    nodeSelector: values.nodeSelector,
    ...(isEmpty(values.tolerations) ? {} : { tolerations: values.tolerations }),
    ...(values.priorityClassName ? { priorityClassName: values.priorityClassName } : {}),
    ...(values.runtimeClassName ? { runtimeClassName: values.runtimeClassName } : {}),
  };
}
