import type { Container, SecurityContext } from '../../../../imports/kubernetes';
import { isEmpty } from '../../empty';
import { image } from '../../pod/images';
import { resources } from '../../pod/resources';
import { unprivileged } from '../../pod/security-context';
import type { ControlPlaneView } from '../control-plane-view';
import type { MeshedPod } from './meshed-pod';

const NOBODY = 65534;

/** The init container that holds up a pod until the CNI plugin has redirected its traffic. */
export function networkValidator(values: ControlPlaneView, pod: MeshedPod): Container {
  const { logFormat, logLevel, connectAddr, listenAddr, timeout } = values.networkValidator;
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
    securityContext: validatorSecurity(values),
  };
}

/** Nobody (65534) unless values say otherwise; none at all only where they turn it off, for what sets one itself. */
function validatorSecurity({ networkValidator }: ControlPlaneView): SecurityContext | undefined {
  const { enableSecurityContext, securityContext } = networkValidator;
  if (enableSecurityContext === false) return undefined;
  return isEmpty(securityContext) ? unprivileged(NOBODY, NOBODY) : (securityContext as SecurityContext);
}
