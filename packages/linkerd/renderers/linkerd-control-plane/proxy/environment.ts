import { TRUST_ROOTS, TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import type { EnvVar } from '#imports/kubernetes';
import type { RenderContext } from '#linkerd/charts/render-context';
import { isEmpty } from '../../empty';
import { addedEnvironment, env, envFromField, envUnlessEmpty, unquotedEnv } from '../../pod/environment';
import { print } from '../../print';
import { trustDomain } from '../../trust-domain';
import type { ControlPlaneView } from '../control-plane-view';
import type { MeshedPod } from './meshed-pod';

/** The folder with a proxy's key and certificate, in memory. */
export const IDENTITY_DIR = '/var/run/linkerd/identity/end-entity';
/** The folder with the token that proves a proxy's service account. */
export const TOKEN_DIR = '/var/run/secrets/tokens';
export const TOKEN_NAME = 'linkerd-identity-token';

/** Longer than any connection, so that protocol detection does not time out. */
const NEVER = '365d';

/** Returns the configuration of a proxy. A variable may refer to earlier ones, so the order matters. */
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
    ...sideEnvironment('inbound', values.proxy.inbound),
    ...sideEnvironment('outbound', values.proxy.outbound),
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

/** Headers may contain secrets, so they are not logged unless the values enable them. */
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
    // Webhooks are called by API servers, which may be outside the cluster's networks and have no identity.
    env('LINKERD2_PROXY_INBOUND_DEFAULT_POLICY', 'all-unauthenticated'),
    env('LINKERD2_PROXY_POLICY_CLUSTER_NETWORKS', values.clusterNetworks),
    ...streamEnvironment(values),
  ];
}

/** JSON distinguishes workloads outside the cluster from pods. */
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
    // The chart fixes both timeouts for the control plane: the values apply to the proxies of applications.
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

/** Parameters by role (`server`), protocol (`http2`) and name (`keepAliveInterval`). */
interface SideParameters {
  readonly [role: string]:
    | { readonly [protocol: string]: { readonly [name: string]: string | undefined } | undefined }
    | undefined;
}

function sideEnvironment(side: string, roles: SideParameters = {}): readonly EnvVar[] {
  return sorted(roles).flatMap(([role, protocols = {}]) =>
    sorted(protocols).flatMap(([protocol, parameters = {}]) =>
      sorted(parameters).map(([name, value]) =>
        env(`LINKERD2_PROXY_${[side, role, protocol, name].map(variableName).join('_')}`, value),
      ),
    ),
  );
}

function sorted<T>(map: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  return Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1));
}

function variableName(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}

function identityEnvironment(
  values: ControlPlaneView,
  { namespace }: RenderContext,
  pod: MeshedPod,
): readonly EnvVar[] {
  const domain = trustDomain(values);
  const identityOf = (account: string) => `${account}.serviceaccount.identity.${namespace}.${domain}`;
  const service = `linkerd-identity-headless.${namespace}.svc.${values.clusterDomain ?? ''}.:8080`;
  return [
    envFromField('_pod_sa', 'spec.serviceAccountName'),
    env('_l5d_ns', namespace),
    unquotedEnv('_l5d_trustdomain', domain),
    env('LINKERD2_PROXY_IDENTITY_DIR', IDENTITY_DIR),
    {
      name: 'LINKERD2_PROXY_IDENTITY_TRUST_ANCHORS',
      // Pods outside the control plane get the trust anchors as text instead.
      valueFrom: { configMapKeyRef: { key: TRUST_ROOTS_KEY, name: TRUST_ROOTS } },
    },
    env('LINKERD2_PROXY_IDENTITY_TOKEN_FILE', tokenFile(values)),
    env('LINKERD2_PROXY_IDENTITY_SVC_ADDR', pod.name === 'linkerd-identity' ? 'localhost.:8080' : service),
    env('LINKERD2_PROXY_IDENTITY_LOCAL_NAME', identityOf('$(_pod_sa).$(_pod_ns)')),
    env('LINKERD2_PROXY_IDENTITY_SVC_NAME', identityOf(`linkerd-identity.${namespace}`)),
    env('LINKERD2_PROXY_DESTINATION_SVC_NAME', identityOf(`linkerd-destination.${namespace}`)),
    env('LINKERD2_PROXY_POLICY_SVC_NAME', identityOf(`linkerd-destination.${namespace}`)),
  ];
}

function tokenFile({ identity }: ControlPlaneView): string {
  return identity.serviceAccountTokenProjection
    ? print`${TOKEN_DIR}/${TOKEN_NAME}`
    : '/var/run/secrets/kubernetes.io/serviceaccount/token';
}

/** The folder with the labels and annotations of the pod. */
export const POD_INFO_PATH = '/var/run/linkerd/podinfo';

function traceEnvironment(values: ControlPlaneView, { namespace }: RenderContext): readonly EnvVar[] {
  const { enabled, collector, labels, traceServiceName } = values.proxy.tracing;
  if (!enabled) return [];
  const domain = values.templates.traceCollectorDomain === 'trustDomain' ? trustDomain(values) : values.clusterDomain;
  const { serviceAccountName, namespace: collectorNamespace } = collector.meshIdentity;
  return [
    env('LINKERD2_PROXY_TRACE_ATTRIBUTES_PATH', `${POD_INFO_PATH}/labels`),
    env('LINKERD2_PROXY_TRACE_ANNOTATIONS_PATH', `${POD_INFO_PATH}/annotations`),
    env('LINKERD2_PROXY_TRACE_PROTOCOL', 'opentelemetry'),
    unquotedEnv('LINKERD2_PROXY_TRACE_SERVICE_NAME', traceServiceName),
    unquotedEnv('LINKERD2_PROXY_TRACE_COLLECTOR_SVC_ADDR', collector.endpoint),
    env(
      'LINKERD2_PROXY_TRACE_COLLECTOR_SVC_NAME',
      print`${serviceAccountName}.${collectorNamespace}.serviceaccount.identity.${namespace}.${domain}`,
    ),
    env('LINKERD2_PROXY_TRACE_EXTRA_ATTRIBUTES', attributes(labels)),
  ];
}

function attributes(labels: Readonly<Record<string, string>> = {}): string {
  const keys = Object.keys(labels).sort();
  return keys.map((key) => `${key}=${labels[key]}\n`).join('');
}

function workerEnvironment({ proxy, templates }: ControlPlaneView, { cores }: MeshedPod): readonly EnvVar[] {
  if (!templates.proxyBounds) return envUnlessEmpty('LINKERD2_PROXY_CORES', cores);
  if (cores) return atLeast(cores);
  const { workers } = proxy.runtime;
  if (isEmpty(workers)) return [];
  const { minimum, maximum, maximumCPURatio } = workers;
  return [
    ...atLeast(minimum || 1),
    ...envUnlessEmpty('LINKERD2_PROXY_CORES_MAX', maximum),
    ...envUnlessEmpty('LINKERD2_PROXY_CORES_MAX_RATIO', maximumCPURatio),
  ];
}

/** Proxies since 2.18 read the second variable, older ones the first. */
function atLeast(cores: number): readonly EnvVar[] {
  return [env('LINKERD2_PROXY_CORES', cores), env('LINKERD2_PROXY_CORES_MIN', cores)];
}

/** Returns the address to listen on for all interfaces, of both families unless IPv6 is disabled. */
export function listenAddress(disableIPv6: boolean | undefined, port: number | undefined): string {
  return `${disableIPv6 ? '0.0.0.0' : '[::]'}:${port ?? ''}`;
}
