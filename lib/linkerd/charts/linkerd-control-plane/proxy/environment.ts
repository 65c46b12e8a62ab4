import type { EnvVar } from '../../../../../imports/kubernetes';
import { addedEnvironment, env, envFromField, envUnlessEmpty } from '../../pod/environment';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { serverEnvironment } from './http2-environment';
import { identityEnvironment } from './identity-environment';
import { listenAddress } from './listen-address';
import type { MeshedPod } from './meshed-pod';
import { traceEnvironment } from './trace-environment';
import { workerEnvironment } from './worker-environment';

/** Longer than any connection lives: protocol detection never gives up. */
const NEVER = '365d';

/** The configuration of a proxy. A variable may refer to those before it, so that their order counts. */
export function proxyEnvironment(values: ControlPlaneView, context: RenderContext, pod: MeshedPod): readonly EnvVar[] {
  const { proxy, templates } = values;
  const bounds = (...variables: readonly EnvVar[]) => (templates.proxyBounds ? variables : []);
  return [
    ...podEnvironment(values),
    ...workerEnvironment(values, pod),
    ...envUnlessEmpty('LINKERD2_PROXY_INBOUND_PORTS_REQUIRE_IDENTITY', proxy.requireIdentityOnInboundPorts),
    ...envUnlessEmpty('LINKERD2_PROXY_INBOUND_PORTS_REQUIRE_TLS', pod.tlsPorts ?? proxy.requireTLSOnInboundPorts),
    ...bounds(env('LINKERD2_PROXY_SHUTDOWN_ENDPOINT_ENABLED', proxy.enableShutdownEndpoint)),
    env('LINKERD2_PROXY_LOG', logFilter(values)),
    env('LINKERD2_PROXY_LOG_FORMAT', proxy.logFormat),
    ...controllerEnvironment(values, context, pod),
    ...timeoutEnvironment(values),
    ...listenerEnvironment(values, pod),
    env('LINKERD2_PROXY_INBOUND_ACCEPT_KEEPALIVE', '10000ms'),
    env('LINKERD2_PROXY_OUTBOUND_CONNECT_KEEPALIVE', '10000ms'),
    ...bounds(
      env('LINKERD2_PROXY_INBOUND_ACCEPT_USER_TIMEOUT', '30s'),
      env('LINKERD2_PROXY_OUTBOUND_CONNECT_USER_TIMEOUT', '30s'),
      env('LINKERD2_PROXY_OUTBOUND_METRICS_HOSTNAME_LABELS', proxy.metrics.hostnameLabels),
    ),
    ...traceEnvironment(values, context),
    ...serverEnvironment(values),
    ...envUnlessEmpty('LINKERD2_PROXY_INBOUND_PORTS_DISABLE_PROTOCOL_DETECTION', proxy.opaquePorts),
    env(
      'LINKERD2_PROXY_DESTINATION_CONTEXT',
      '{"ns":"$(_pod_ns)", "nodeName":"$(_pod_nodeName)", "pod":"$(_pod_name)"}\n',
    ),
    ...identityEnvironment(values, context, pod),
    ...envUnlessEmpty('LINKERD2_PROXY_ACCESS_LOG', proxy.accessLog),
    ...envUnlessEmpty('LINKERD2_PROXY_SHUTDOWN_GRACE_PERIOD', proxy.shutdownGracePeriod),
    ...addedEnvironment(proxy),
  ];
}

/** The names and places of the pod, and of proxies with traces of their own, all that these say of it. */
function podEnvironment({ templates }: ControlPlaneView): readonly EnvVar[] {
  const traced = (...variables: readonly EnvVar[]) => (templates.tracing === 'builtIn' ? variables : []);
  return [
    envFromField('_pod_name', 'metadata.name'),
    envFromField('_pod_ns', 'metadata.namespace'),
    ...traced(envFromField('_pod_uid', 'metadata.uid'), envFromField('_pod_ip', 'status.podIP')),
    envFromField('_pod_nodeName', 'spec.nodeName'),
    ...traced(env('_pod_containerName', 'linkerd-proxy')),
  ];
}

/** Headers hold secrets, so that they are kept out of logs unless the values ask for them by name. */
function logFilter({ proxy }: ControlPlaneView): string {
  return print`${proxy.logLevel}${proxy.logHTTPHeaders === 'insecure' ? '' : ',[{headers}]=off,[{request}]=off'}`;
}

function controllerEnvironment(
  values: ControlPlaneView,
  { namespace }: RenderContext,
  pod: MeshedPod,
): readonly EnvVar[] {
  const address = (service: string, port: number) =>
    pod.name === 'linkerd-destination'
      ? `localhost.:${port}`
      : print`${service}.${namespace}.svc.${values.clusterDomain}.:${port}`;
  return [
    env('LINKERD2_PROXY_DESTINATION_SVC_ADDR', address('linkerd-dst-headless', 8086)),
    env('LINKERD2_PROXY_DESTINATION_PROFILE_NETWORKS', values.clusterNetworks),
    env('LINKERD2_PROXY_POLICY_SVC_ADDR', address('linkerd-policy', 8090)),
    env('LINKERD2_PROXY_POLICY_WORKLOAD', workload(values)),
    // Webhooks are called by API servers, which may be outside of the cluster's networks and have no identity.
    env('LINKERD2_PROXY_INBOUND_DEFAULT_POLICY', 'all-unauthenticated'),
    env('LINKERD2_PROXY_POLICY_CLUSTER_NETWORKS', values.clusterNetworks),
    ...streamEnvironment(values),
  ];
}

/** The pod's name to the policy controller, which takes workloads outside of the cluster apart from pods by JSON. */
function workload({ templates }: ControlPlaneView): string {
  return templates.egressAndExternalWorkloads
    ? '{"ns":"$(_pod_ns)", "pod":"$(_pod_name)"}\n'
    : '$(_pod_ns):$(_pod_name)';
}

function streamEnvironment({ proxy, templates }: ControlPlaneView): readonly EnvVar[] {
  if (!templates.proxyBounds) return [];
  const { initialTimeout = '', idleTimeout = '', lifetime = '' } = proxy.control.streams;
  return [
    env('LINKERD2_PROXY_CONTROL_STREAM_INITIAL_TIMEOUT', initialTimeout),
    env('LINKERD2_PROXY_CONTROL_STREAM_IDLE_TIMEOUT', idleTimeout),
    env('LINKERD2_PROXY_CONTROL_STREAM_LIFETIME', lifetime),
  ];
}

function timeoutEnvironment({ proxy }: ControlPlaneView): readonly EnvVar[] {
  const never = (isDisabled: boolean | undefined) => (isDisabled ? NEVER : undefined);
  return [
    ...envUnlessEmpty('LINKERD2_PROXY_INBOUND_CONNECT_TIMEOUT', proxy.inboundConnectTimeout),
    ...envUnlessEmpty('LINKERD2_PROXY_OUTBOUND_CONNECT_TIMEOUT', proxy.outboundConnectTimeout),
    // The values of these two are for the proxies of applications; the chart fixes them for its own.
    env('LINKERD2_PROXY_OUTBOUND_DISCOVERY_IDLE_TIMEOUT', '5s'),
    env('LINKERD2_PROXY_INBOUND_DISCOVERY_IDLE_TIMEOUT', '90s'),
    ...envUnlessEmpty('LINKERD2_PROXY_OUTBOUND_DETECT_TIMEOUT', never(proxy.disableOutboundProtocolDetectTimeout)),
    ...envUnlessEmpty('LINKERD2_PROXY_INBOUND_DETECT_TIMEOUT', never(proxy.disableInboundProtocolDetectTimeout)),
  ];
}

function listenerEnvironment(values: ControlPlaneView, pod: MeshedPod): readonly EnvVar[] {
  const { proxy, disableIPv6, templates } = values;
  const { control, admin, inbound, outbound } = proxy.ports;
  const services = print`svc.${values.clusterDomain}.`;
  return [
    env('LINKERD2_PROXY_CONTROL_LISTEN_ADDR', listenAddress(disableIPv6, control)),
    env('LINKERD2_PROXY_ADMIN_LISTEN_ADDR', listenAddress(disableIPv6, admin)),
    env('LINKERD2_PROXY_OUTBOUND_LISTEN_ADDR', print`127.0.0.1:${outbound}`),
    ...(templates.ipv6 ? [env('LINKERD2_PROXY_OUTBOUND_LISTEN_ADDRS', outboundAddresses(values))] : []),
    env('LINKERD2_PROXY_INBOUND_LISTEN_ADDR', listenAddress(disableIPv6, inbound)),
    envFromField('LINKERD2_PROXY_INBOUND_IPS', 'status.podIPs'),
    env('LINKERD2_PROXY_INBOUND_PORTS', pod.inboundPorts),
    ...(proxy.isGateway ? [env('LINKERD2_PROXY_INBOUND_GATEWAY_SUFFIXES', services)] : []),
    ...(proxy.isIngress ? [env('LINKERD2_PROXY_INGRESS_MODE', true)] : []),
    env('LINKERD2_PROXY_DESTINATION_PROFILE_SUFFIXES', proxy.enableExternalProfiles ? '.' : services),
  ];
}

function outboundAddresses({ proxy, disableIPv6 }: ControlPlaneView): string {
  const { outbound } = proxy.ports;
  return disableIPv6 ? print`127.0.0.1:${outbound}` : print`127.0.0.1:${outbound},[::1]:${outbound}`;
}
