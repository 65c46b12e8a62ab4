import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { service } from '../workload/service';

/**
 * Renders the Services at which proxies learn about endpoints and policies, and API servers have custom resources
 * validated.
 */
export function destinationServices(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const component = 'destination';
  const discovery = { component, port: { name: 'grpc', port: 8086, targetPort: 8086 } };
  const policies = { component, port: { name: 'grpc', port: 8090, targetPort: 8090 } };
  const webhook = (port: string) => ({ component, port: { name: port, port: 443, targetPort: port } });
  return [
    service(values, context, { ...discovery, name: 'linkerd-dst' }),
    service(values, context, { ...discovery, name: 'linkerd-dst-headless', isHeadless: true }),
    service(values, context, { ...policies, name: 'linkerd-policy', isHeadless: true }),
    service(values, context, { ...webhook('policy-https'), name: 'linkerd-policy-validator' }),
    service(values, context, { ...webhook('sp-validator'), name: 'linkerd-sp-validator' }),
  ];
}
