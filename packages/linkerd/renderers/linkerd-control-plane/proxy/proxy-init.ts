import type { Capabilities, Container, ResourceRequirements, SecurityContext } from '#imports/kubernetes';
import { isEmpty } from '../../empty';
import { image } from '../../pod/images';
import { resources } from '../../pod/resources';
import { unprivileged } from '../../pod/security-context';
import { print, unquoted } from '../../print';
import type { ControlPlaneView } from '../control-plane-view';
import type { MeshedPod } from './meshed-pod';
import { tokenMount } from './volumes';

/** The user `nobody`, also if the values set 0: only `runAsRoot` enables root. */
const NOBODY = 65534;

/** Renders the init container that redirects a pod's traffic to its proxy. */
export function proxyInit(values: ControlPlaneView, pod: MeshedPod): Container {
  const { xtMountPath, saMountPath } = values.proxyInit;
  return {
    name: 'linkerd-init',
    ...program(values),
    args: firewallArguments(values),
    resources: initResources(values, pod),
    securityContext: securityContext(values),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { mountPath: unquoted(xtMountPath.mountPath) ?? '', name: unquoted(xtMountPath.name) ?? '' },
      ...tokenMount(saMountPath),
    ],
  };
}

function program(values: ControlPlaneView): Pick<Container, 'image' | 'imagePullPolicy' | 'command'> {
  const { imagePullPolicy, proxy, proxyInit: init, templates } = values;
  return templates.initImage === 'own'
    ? image(init.image, { imagePullPolicy, linkerdVersion: undefined })
    : { ...image(proxy.image, values), command: ['/usr/lib/linkerd/linkerd2-proxy-init'] };
}

function firewallArguments(values: ControlPlaneView): readonly string[] {
  const { proxy, proxyInit: init, disableIPv6, templates } = values;
  const proxyPorts = print`${proxy.ports.control},${proxy.ports.admin}`;
  return [
    ...(init.iptablesMode === 'nft'
      ? ['--firewall-bin-path', 'iptables-nft', '--firewall-save-bin-path', 'iptables-nft-save']
      : []),
    ...(templates.ipv6 && disableIPv6 ? ['--ipv6=false'] : []),
    ...['--incoming-proxy-port', print`${proxy.ports.inbound}`],
    ...['--outgoing-proxy-port', print`${proxy.ports.outbound}`],
    ...['--proxy-uid', print`${proxy.uid}`],
    ...(proxy.gid !== undefined && proxy.gid >= 0 ? ['--proxy-gid', `${proxy.gid}`] : []),
    ...['--inbound-ports-to-ignore', `${proxyPorts}${init.ignoreInboundPorts ? `,${init.ignoreInboundPorts}` : ''}`],
    // Controllers connect to the API server before their proxies are ready; no other port needs an exception.
    ...option('--outbound-ports-to-ignore', init.kubeAPIServerPorts),
    ...option('--timeout-close-wait-secs', init.closeWaitTimeoutSecs),
    ...option('--log-format', init.logFormat),
    ...(init.logLevel ? ['--log-level', unquoted(init.logLevel) ?? ''] : []),
    ...option('--subnets-to-ignore', init.skipSubnets),
  ];
}

function option(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined || isEmpty(value) ? [] : [name, `${value}`];
}

function securityContext({ proxyInit: init, templates }: ControlPlaneView): SecurityContext {
  const isPrivileged = !isEmpty(init.closeWaitTimeoutSecs) || init.privileged === true;
  return {
    allowPrivilegeEscalation: isPrivileged,
    capabilities: capabilities(init.capabilities),
    privileged: isPrivileged,
    ...(init.runAsRoot
      ? { runAsNonRoot: false, runAsUser: 0 }
      : { runAsNonRoot: true, runAsUser: init.runAsUser || NOBODY }),
    ...(templates.initGroups ? { runAsGroup: init.runAsRoot ? 0 : init.runAsGroup || NOBODY } : {}),
    readOnlyRootFilesystem: true,
    seccompProfile: { type: 'RuntimeDefault' },
  };
}

function capabilities(more: Capabilities = {}): Capabilities {
  return {
    add: ['NET_ADMIN', 'NET_RAW', ...(more.add ?? [])],
    ...(isEmpty(more.drop) ? {} : { drop: more.drop }),
  };
}

function initResources(values: ControlPlaneView, pod: MeshedPod): ResourceRequirements | undefined {
  return resources(values.templates.initResources === 'own' ? values.proxyInit.resources : pod.resources);
}

/** Renders the init container that delays a pod until the CNI plugin has redirected its traffic. */
export function networkValidator(values: ControlPlaneView, pod: MeshedPod): Container {
  const { logFormat, logLevel, timeout } = values.networkValidator;
  return {
    name: 'linkerd-network-validator',
    ...image(values.proxy.image, values),
    command: ['/usr/lib/linkerd/linkerd2-network-validator'],
    args: [
      ...['--log-format', logFormat ?? ''],
      ...['--log-level', unquoted(logLevel) ?? ''],
      ...addressArguments(values),
      ...['--timeout', timeout ?? ''],
    ],
    resources: initResources(values, pod),
    securityContext: validatorSecurity(values),
  };
}

function addressArguments({ networkValidator, disableIPv6, templates }: ControlPlaneView): readonly string[] {
  // The address to connect to never answers, so a connection succeeds only if it is redirected.
  const [connect, listen] = disableIPv6 ? ['1.1.1.1:20001', '0.0.0.0:4140'] : ['[fd00::1]:20001', '[::]:4140'];
  const { connectAddr, listenAddr } = networkValidator;
  // Releases that support only IPv4 take the addresses from the values only.
  const address = (given: string | undefined, ofFamily: string) => given || (templates.ipv6 ? ofFamily : '');
  return ['--connect-addr', address(connectAddr, connect), '--listen-addr', address(listenAddr, listen)];
}

/** The user `nobody` (65534) by default. The values can disable it for platforms that set a user. */
function validatorSecurity({ networkValidator, templates }: ControlPlaneView): SecurityContext | undefined {
  const { enableSecurityContext, securityContext } = networkValidator;
  const { validatorUser, initGroups } = templates;
  if (validatorUser === 'switch' ? !enableSecurityContext : enableSecurityContext === false) return undefined;
  const nobody = unprivileged(NOBODY, initGroups ? NOBODY : undefined);
  return isEmpty(securityContext) ? nobody : (securityContext as SecurityContext);
}
