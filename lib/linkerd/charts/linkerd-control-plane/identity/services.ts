import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { service } from '../workload/service';

/** Renders the Services at which proxies ask for certificates. They use the headless one, to balance by themselves. */
export function identityServices(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const identity = { component: 'identity', port: { name: 'grpc', port: 8080, targetPort: 8080 } };
  return [
    service(values, context, { ...identity, name: 'linkerd-identity' }),
    service(values, context, { ...identity, name: 'linkerd-identity-headless', isHeadless: true }),
  ];
}
