import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import { namespacedComponent, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { disruptionBudget } from '../workload/disruption-budget';
import { service } from '../workload/service';
import { webDeployment } from './deployment';
import { webRbac } from './rbac';

/** All of the dashboard. */
export function web(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { replicas, service: ownService } = values.dashboard;
  return [
    ...webRbac(values, context),
    service(values, context, {
      name: 'web',
      labels: {
        ...withCommonLabels(values, namespacedComponent('web', context.namespace)),
        ...ownService.labels,
      },
      annotations: ownService.annotations,
      ports: [
        { name: 'http', port: 8084, targetPort: 8084 },
        { name: values.templates.adminPort, port: 9994, targetPort: 9994 },
      ],
    }),
    webDeployment(values, context),
    ...disruptionBudget(values, context, 'web', replicas),
  ];
}
