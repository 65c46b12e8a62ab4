import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { OPAQUE_PORTS } from '../../../annotations';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { service } from '../workload/service';

/** Renders the Service at which API servers call the injector. */
export function proxyInjectorService(values: ControlPlaneView, context: RenderContext): KubernetesObject {
  return service(values, context, {
    name: 'linkerd-proxy-injector',
    component: 'proxy-injector',
    port: { name: 'proxy-injector', port: 443, targetPort: 'proxy-injector' },
    annotations: { [OPAQUE_PORTS]: '443' },
  });
}
