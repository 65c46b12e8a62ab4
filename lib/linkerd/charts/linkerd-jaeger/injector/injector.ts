import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import type { JaegerView } from '../jaeger-view';
import { component } from '../metadata';
import { service } from '../workload/service';
import { injectorDeployment } from './deployment';
import { injectorPolicy } from './policy';
import { injectorRbac } from './rbac';
import { injectorWebhook } from './webhook';

/** All of the injector, which tells proxies where spans go. */
export function injector(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  const name = 'jaeger-injector';
  return [
    ...injectorRbac(values, context),
    service(values, context, { name, selector: component(name), ports: [{ name, port: 443, targetPort: name }] }),
    injectorDeployment(values, context),
    injectorWebhook(values, context),
    ...injectorPolicy(values, context),
  ];
}
