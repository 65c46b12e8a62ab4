import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { RECONCILE_AUTO, RECONCILE_LABEL } from '../../operator/api/names';

/** A workload of the chart whose pods ask to be restarted when the configuration changes. */
export interface RestartedWorkload {
  readonly namespace: string;
  /** `Deployment/web`. */
  readonly name: string;
}

/** The workloads of the chart of `scope` that ask the operator to restart them, as far as they name a namespace. */
export function restartedWorkloads(scope: IConstruct): readonly RestartedWorkload[] {
  return Chart.of(scope)
    .node.findAll()
    .flatMap((construct) => {
      if (!(construct instanceof ApiObject) || construct.metadata.namespace === undefined) return [];
      const labels = construct.toJson().spec?.template?.metadata?.labels;
      if (labels?.[RECONCILE_LABEL] !== RECONCILE_AUTO) return [];
      return [{ namespace: construct.metadata.namespace, name: `${construct.kind}/${construct.name}` }];
    });
}
