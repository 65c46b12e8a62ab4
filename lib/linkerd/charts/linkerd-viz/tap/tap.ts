import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import { namespacedComponent, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { disruptionBudget } from '../workload/disruption-budget';
import { service } from '../workload/service';
import { tapApiService } from './api-service';
import { tapDeployment } from './deployment';
import { tapRbac } from './rbac';

/** All of tap but its policy. */
export function tap(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { replicas, service: ownService } = values.tap;
  return [
    ...tapRbac(values, context),
    service(values, context, {
      name: 'tap',
      labels: withCommonLabels(values, namespacedComponent('tap', context.namespace)),
      annotations: ownService.annotations,
      ports: [
        { name: 'grpc', port: 8088, targetPort: 8088 },
        { name: 'apiserver', port: 443, targetPort: 'apiserver' },
      ],
    }),
    tapDeployment(values, context),
    tapApiService(values, context),
    ...disruptionBudget(values, context, 'tap', replicas),
  ];
}
