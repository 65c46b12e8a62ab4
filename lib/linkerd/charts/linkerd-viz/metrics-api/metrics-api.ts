import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import { component, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { disruptionBudget } from '../workload/disruption-budget';
import { service } from '../workload/service';
import { metricsApiDeployment } from './deployment';
import { metricsApiRbac } from './rbac';

/** All of metrics-api but its policy. */
export function metricsApi(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { replicas, service: ownService } = values.metricsAPI;
  return [
    ...metricsApiRbac(values, context),
    service(values, context, {
      name: 'metrics-api',
      labels: withCommonLabels(values, component('metrics-api')),
      annotations: ownService.annotations,
      ports: [{ name: 'http', port: 8085, targetPort: 8085 }],
    }),
    metricsApiDeployment(values, context),
    ...disruptionBudget(values, context, 'metrics-api', replicas),
  ];
}
