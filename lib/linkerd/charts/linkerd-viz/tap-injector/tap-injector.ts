import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import { component, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { disruptionBudget } from '../workload/disruption-budget';
import { service } from '../workload/service';
import { tapInjectorDeployment } from './deployment';
import { tapInjectorRbac } from './rbac';
import { tapInjectorWebhook } from './webhook';

/** All of the tap injector but its policy. */
export function tapInjector(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { replicas, service: ownService } = values.tapInjector;
  return [
    ...tapInjectorRbac(values, context),
    service(values, context, {
      name: 'tap-injector',
      labels: withCommonLabels(values, component('tap-injector')),
      annotations: ownService.annotations,
      ports: [{ name: 'tap-injector', port: 443, targetPort: 'tap-injector' }],
    }),
    tapInjectorDeployment(values, context),
    tapInjectorWebhook(values, context),
    ...disruptionBudget(values, context, 'tap-injector', replicas),
  ];
}
