import type { Container, SecurityContext } from '../../../../imports/kubernetes';
import type { ControlPlaneView } from '../control-plane-view';
import { image } from '../pod/images';
import { resources } from '../pod/resources';
import type { MeshedPod } from './meshed-pod';

/** The init container that holds up a pod until the CNI plugin has redirected its traffic. */
export function networkValidator(values: ControlPlaneView, pod: MeshedPod): Container {
  const { logFormat, logLevel, connectAddr, listenAddr, timeout, securityContext } = values.networkValidator;
  const { disableIPv6 } = values;
  return {
    name: 'linkerd-network-validator',
    ...image(values.proxy.image, values),
    command: ['/usr/lib/linkerd/linkerd2-network-validator'],
    args: [
      ...['--log-format', logFormat ?? ''],
      ...['--log-level', logLevel ?? ''],
      // An address that nothing answers: a connection that succeeds has been redirected.
      ...['--connect-addr', connectAddr || (disableIPv6 ? '1.1.1.1:20001' : '[fd00::1]:20001')],
      ...['--listen-addr', listenAddr || (disableIPv6 ? '0.0.0.0:4140' : '[::]:4140')],
      ...['--timeout', timeout ?? ''],
    ],
    resources: resources(pod.resources),
    securityContext: securityContext as SecurityContext | undefined,
  };
}
