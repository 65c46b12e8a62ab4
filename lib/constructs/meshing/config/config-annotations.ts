import { defined } from '#base/defined';
import {
  checkGoDuration,
  type DurationLike,
  goDuration,
  goDurationOf,
  milliseconds,
} from '#lib/kubernetes/go-duration';
import * as keys from '#lib/linkerd/annotations';
import { type Ports, portsText } from '#lib/linkerd/ports';
import type { Release } from '#lib/linkerd/releases/release';
import type { ResourceRange } from '#operator/api/proxy-values/quantity';
import type { MeshConfig } from './mesh-config';
import type { ProxyConfig } from './proxy-config';

/** Annotations by key. */
export type Annotations = Readonly<Record<string, string>>;

/** Prefix of the annotations for attributes of a pod's traces. The attribute's name follows the slash. */
export const TRACE_ATTRIBUTE_PREFIX = 'resource.opentelemetry.io/';

/**
 * Returns the annotations that give pods this configuration. Values that cannot be written are left out: see
 * `checkMeshConfig`.
 */
export function configAnnotations(config: MeshConfig, release: Release): Annotations {
  const { proxy = {} } = config;
  return defined({
    ...trafficAnnotations(config),
    ...debugAnnotations(config.debugSidecar),
    ...traceAnnotations(config.traceAttributes),
    ...resourceAnnotations(proxy),
    ...containerAnnotations(proxy),
    ...lifecycleAnnotations(proxy, release),
    ...connectionAnnotations(proxy),
  });
}

type Drafts = Readonly<Record<string, string | undefined>>;

function trafficAnnotations(config: MeshConfig): Drafts {
  return {
    [keys.OPAQUE_PORTS]: list(config.opaquePorts),
    [keys.SKIP_INBOUND_PORTS]: list(config.skipInboundPorts),
    [keys.SKIP_OUTBOUND_PORTS]: list(config.skipOutboundPorts),
    [keys.SKIP_SUBNETS]: config.skipSubnets?.join(','),
    [keys.POD_INBOUND_PORTS]: list(config.podInboundPorts),
    [keys.DEFAULT_INBOUND_POLICY]: config.defaultInboundPolicy,
    [keys.ENABLE_EXTERNAL_PROFILES]: text(config.externalProfiles),
  };
}

function debugAnnotations(debug: MeshConfig['debugSidecar']): Drafts {
  const image = typeof debug === 'object' ? debug : {};
  return {
    [keys.ENABLE_DEBUG_SIDECAR]: debug === undefined ? undefined : text(debug !== false),
    [keys.DEBUG_IMAGE]: image.name,
    [keys.DEBUG_IMAGE_VERSION]: image.version,
    [keys.DEBUG_IMAGE_PULL_POLICY]: image.pullPolicy,
  };
}

function traceAnnotations(attributes: MeshConfig['traceAttributes'] = {}): Drafts {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [`${TRACE_ATTRIBUTE_PREFIX}${name}`, value]),
  );
}

function resourceAnnotations({ cpu, memory, ephemeralStorage, cpuRatioLimit }: ProxyConfig): Drafts {
  const amount = (value: ResourceRange = {}, request: string, limit: string) => ({
    [request]: value.request,
    [limit]: value.limit,
  });
  return {
    ...amount(cpu, keys.PROXY_CPU_REQUEST, keys.PROXY_CPU_LIMIT),
    ...amount(memory, keys.PROXY_MEMORY_REQUEST, keys.PROXY_MEMORY_LIMIT),
    ...amount(ephemeralStorage, keys.PROXY_EPHEMERAL_STORAGE_REQUEST, keys.PROXY_EPHEMERAL_STORAGE_LIMIT),
    [keys.PROXY_CPU_RATIO_LIMIT]: text(cpuRatioLimit),
  };
}

function containerAnnotations(proxy: ProxyConfig): Drafts {
  return {
    [keys.PROXY_IMAGE]: proxy.image?.name,
    [keys.PROXY_VERSION]: proxy.image?.version,
    [keys.IMAGE_PULL_POLICY]: proxy.image?.pullPolicy,
    [keys.INIT_IMAGE]: proxy.initImage?.name,
    [keys.INIT_IMAGE_VERSION]: proxy.initImage?.version,
    [keys.PROXY_UID]: text(proxy.uid),
    [keys.PROXY_GID]: text(proxy.gid),
    [keys.PROXY_LOG_LEVEL]: proxy.logLevel,
    [keys.PROXY_LOG_FORMAT]: proxy.logFormat,
    [keys.ACCESS_LOG]: proxy.accessLog,
    [keys.PROXY_ADDITIONAL_ENV]: proxy.env === undefined ? undefined : JSON.stringify(proxy.env),
  };
}

function lifecycleAnnotations(proxy: ProxyConfig, release: Release): Drafts {
  const { nativeSidecarAnnotation } = release.groups.injector;
  const { waitBeforeExit } = proxy;
  const wait = goDurationOf(waitBeforeExit);
  const seconds = wait && milliseconds(wait) / 1000;
  return {
    [keys.PROXY_AWAIT]: proxy.await === undefined ? undefined : proxy.await ? 'enabled' : 'disabled',
    ...(nativeSidecarAnnotation === undefined ? {} : { [nativeSidecarAnnotation]: text(proxy.nativeSidecar) }),
    [keys.PROXY_WAIT_BEFORE_EXIT_SECONDS]: text(seconds),
    [keys.SHUTDOWN_GRACE_PERIOD]: duration(proxy.shutdownGracePeriod),
    [keys.CLOSE_WAIT_TIMEOUT]: duration(proxy.closeWaitTimeout),
  };
}

function connectionAnnotations(proxy: ProxyConfig): Drafts {
  const { connectTimeout, discoveryCacheTimeout, unlimitedProtocolDetection, ports } = proxy;
  return {
    [keys.PROXY_INBOUND_CONNECT_TIMEOUT]: duration(connectTimeout?.inbound),
    [keys.PROXY_OUTBOUND_CONNECT_TIMEOUT]: duration(connectTimeout?.outbound),
    [keys.PROXY_INBOUND_DISCOVERY_CACHE_UNUSED_TIMEOUT]: duration(discoveryCacheTimeout?.inbound),
    [keys.PROXY_OUTBOUND_DISCOVERY_CACHE_UNUSED_TIMEOUT]: duration(discoveryCacheTimeout?.outbound),
    [keys.PROXY_DISABLE_INBOUND_PROTOCOL_DETECT_TIMEOUT]: text(unlimitedProtocolDetection?.inbound),
    [keys.PROXY_DISABLE_OUTBOUND_PROTOCOL_DETECT_TIMEOUT]: text(unlimitedProtocolDetection?.outbound),
    [keys.CONTROL_PORT]: text(ports?.control),
    [keys.ADMIN_PORT]: text(ports?.admin),
    [keys.INBOUND_PORT]: text(ports?.inbound),
    [keys.OUTBOUND_PORT]: text(ports?.outbound),
  };
}

function list(ports: Ports | undefined): string | undefined {
  return ports === undefined ? undefined : portsText(ports);
}

function text(value: boolean | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function duration(value: DurationLike | undefined): string | undefined {
  return value === undefined || checkGoDuration('', value).length > 0 ? undefined : goDuration(value);
}
