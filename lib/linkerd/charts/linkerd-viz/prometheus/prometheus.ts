import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import { namespacedComponent, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { service } from '../workload/service';
import { prometheusConfigMap } from './config-map';
import { prometheusDeployment } from './deployment';
import { volumeClaim } from './persistence';
import { prometheusRbac } from './rbac';

/** All of Viz' own Prometheus but its policy, if it is to have one. */
export function prometheus(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  if (!values.prometheus.enabled) return [];
  return [
    ...prometheusRbac(values, context),
    prometheusConfigMap(values, context),
    service(values, context, {
      name: 'prometheus',
      labels: withCommonLabels(values, namespacedComponent('prometheus', context.namespace)),
      ports: [{ name: values.templates.adminPort, port: 9090, targetPort: 9090 }],
    }),
    prometheusDeployment(values, context),
    ...volumeClaim(values, context),
  ];
}
