import type { Container, SecurityContext } from '../../../../../imports/kubernetes';
import { isEmpty } from '../../empty';
import { image } from '../../pod/images';
import { unprivileged } from '../../pod/security-context';
import type { ControlPlaneView } from '../control-plane-view';
import { initResources } from './init-resources';
import type { MeshedPod } from './meshed-pod';

const NOBODY = 65534;

/** The init container that holds up a pod until the CNI plugin has redirected its traffic. */
export function networkValidator(values: ControlPlaneView, pod: MeshedPod): Container {
  const { logFormat, logLevel, timeout } = values.networkValidator;
  return {
    name: 'linkerd-network-validator',
    ...image(values.proxy.image, values),
    command: ['/usr/lib/linkerd/linkerd2-network-validator'],
    args: [
      ...['--log-format', logFormat ?? ''],
      ...['--log-level', logLevel ?? ''],
      ...addressArguments(values),
      ...['--timeout', timeout ?? ''],
    ],
    resources: initResources(values, pod),
    securityContext: validatorSecurity(values),
  };
}

function addressArguments({ networkValidator, disableIPv6, templates }: ControlPlaneView): readonly string[] {
  // An address that nothing answers: a connection that succeeds has been redirected.
  const [connect, listen] = disableIPv6 ? ['1.1.1.1:20001', '0.0.0.0:4140'] : ['[fd00::1]:20001', '[::]:4140'];
  const { connectAddr, listenAddr } = networkValidator;
  // Where there is one family only, the addresses are the values' own.
  const address = (given: string | undefined, ofFamily: string) => given || (templates.ipv6 ? ofFamily : '');
  return ['--connect-addr', address(connectAddr, connect), '--listen-addr', address(listenAddr, listen)];
}

/** Nobody (65534) unless values say otherwise; none at all only where they turn it off, for what sets one itself. */
function validatorSecurity({ networkValidator, templates }: ControlPlaneView): SecurityContext | undefined {
  const { enableSecurityContext, securityContext } = networkValidator;
  const { validatorUser, initGroups } = templates;
  if (validatorUser === 'switch' ? !enableSecurityContext : enableSecurityContext === false) return undefined;
  const nobody = unprivileged(NOBODY, initGroups ? NOBODY : undefined);
  return isEmpty(securityContext) ? nobody : (securityContext as SecurityContext);
}
