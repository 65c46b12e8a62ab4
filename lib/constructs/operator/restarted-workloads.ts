import type { IConstruct } from 'constructs';
import { RECONCILE_AUTO, RECONCILE_LABEL } from '../../../operator/api/names';
import { objectsAround } from '../../gitops/tree/api-objects';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';

/** A workload of the chart whose pods ask to be restarted when the configuration changes. */
export interface RestartedWorkload {
  readonly namespace: string;
  /** `Deployment/web`. */
  readonly name: string;
}

/** The workloads of the chart of `scope` that ask the operator to restart them, as far as they name a namespace. */
export function restartedWorkloads(scope: IConstruct): readonly RestartedWorkload[] {
  return objectsAround(scope).flatMap(({ namespace, kind, name, json }) => {
    if (namespace === undefined || !json().some(isRestarted)) return [];
    return [{ namespace, name: `${kind}/${name}` }];
  });
}

function isRestarted(object: KubernetesObject): boolean {
  const pods = object as { readonly spec?: { readonly template?: { readonly metadata?: { labels?: unknown } } } };
  const labels = pods.spec?.template?.metadata?.labels;
  return (labels as Readonly<Record<string, unknown>> | undefined)?.[RECONCILE_LABEL] === RECONCILE_AUTO;
}
