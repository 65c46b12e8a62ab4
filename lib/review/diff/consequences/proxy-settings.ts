import { TRACE_ATTRIBUTE_PREFIX } from '#lib/checks/linkerd/annotation-table';
import { requestsProxy } from '#lib/checks/policy/pod-sets';
import * as keys from '#linkerd/annotations';
import type { Severity } from '../severity';

/** The effect of a changed setting on its pods. */
export type SettingEffect =
  | 'access-log'
  | 'debug-container'
  | 'identity-not-required'
  | 'identity-required'
  | 'inbound-leaves-proxy'
  | 'inbound-returns-to-proxy'
  | 'gateway-closed'
  | 'gateway-opened'
  | 'image'
  | 'lifecycle'
  | 'load-balancing'
  | 'log'
  | 'opaque-ports-added'
  | 'opaque-ports-removed'
  | 'outbound-leaves-proxy'
  | 'outbound-returns-to-proxy'
  | 'policy-admits'
  | 'policy-audits'
  | 'policy-refuses'
  | 'policy-unknown'
  | 'proxy-added'
  | 'proxy-ports'
  | 'proxy-removed'
  | 'resources'
  | 'routing'
  | 'subnets-leave-proxy'
  | 'subnets-return-to-proxy'
  | 'timeouts'
  | 'tracing'
  | 'unknown'
  | 'user'
  | 'variables';

/** An effect, its severity, and the affected ports, networks or clients. */
export interface Effect {
  readonly effect: SettingEffect;
  readonly severity: Severity;
  readonly of: readonly string[];
}

/** A setting of proxies, by its annotations and its value of the control plane. */
export interface ProxySetting {
  readonly annotations: readonly string[];
  /** Dotted path of the value with the mesh's default; undefined if the setting has none. */
  readonly value?: string;
  readonly effects: (before: string | undefined, after: string | undefined) => readonly Effect[];
}

function always(...row: EffectRow): ProxySetting['effects'] {
  return () => [effect(row)];
}

type EffectRow = readonly [effect: SettingEffect, severity: Severity];

function effect([effect, severity]: EffectRow, of: readonly string[] = []): Effect {
  return { effect, severity, of };
}

function items(gained: EffectRow, lost: EffectRow): ProxySetting['effects'] {
  return (before = '', after = '') => {
    const [old, next] = [before, after].map((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    );
    const [came, went] = [without(next, old), without(old, next)];
    return [...(came.length > 0 ? [effect(gained, came)] : []), ...(went.length > 0 ? [effect(lost, went)] : [])];
  };
}

function without(list: readonly string[] = [], others: readonly string[] = []): readonly string[] {
  return list.filter((item) => !others.includes(item));
}

const EVERYBODY = [
  'unmeshed clients outside of the cluster',
  'unmeshed clients',
  'meshed clients of other clusters',
  'meshed clients',
];

/** The clients that each policy allows: https://linkerd.io/2-edge/reference/authorization-policy/#default-policies. */
const ADMITTED: Readonly<Record<string, readonly string[]>> = {
  'all-unauthenticated': EVERYBODY,
  audit: EVERYBODY,
  'cluster-unauthenticated': ['unmeshed clients', 'meshed clients'],
  'all-authenticated': ['meshed clients of other clusters', 'meshed clients'],
  'cluster-authenticated': ['meshed clients'],
  deny: [],
};

/** The policy of a mesh that sets no default policy. */
const USUAL_POLICY = 'all-unauthenticated';

function policyEffects(before = USUAL_POLICY, after = USUAL_POLICY): readonly Effect[] {
  const [old, next] = [admitted(before), admitted(after)];
  if (old === undefined || next === undefined) return [effect(['policy-unknown', 'warning'], [before, after])];
  const [lost, gained] = [without(old, next), without(next, old)];
  if (lost.length + gained.length === 0) return [effect(['policy-audits', 'info'], [before, after])];
  return [
    ...(lost.length > 0 ? [effect(['policy-refuses', 'breaks-traffic'], lost)] : []),
    ...(gained.length > 0 ? [effect(['policy-admits', 'opens-access'], gained)] : []),
  ];
}

function admitted(policy: string): readonly string[] | undefined {
  return Object.hasOwn(ADMITTED, policy) ? ADMITTED[policy] : undefined;
}

function toggled(isOn: (value: string | undefined) => boolean, on: EffectRow, off: EffectRow): ProxySetting['effects'] {
  return (before, after) => (isOn(before) === isOn(after) ? [] : [effect(isOn(after) ? on : off)]);
}

const isTrue = (value: string | undefined) => value === 'true';

/**
 * All settings that Linkerd's proxy injector and controllers read from pods, namespaces and Services, with their
 * effects on traffic. The effects of settings that do not decide which clients a proxy serves are general, e.g.
 * `timeouts`.
 */
export const PROXY_SETTINGS: readonly ProxySetting[] = [
  {
    annotations: [keys.SKIP_INBOUND_PORTS],
    value: 'proxyInit.ignoreInboundPorts',
    effects: items(['inbound-leaves-proxy', 'opens-access'], ['inbound-returns-to-proxy', 'breaks-traffic']),
  },
  {
    annotations: [keys.SKIP_OUTBOUND_PORTS],
    value: 'proxyInit.ignoreOutboundPorts',
    effects: items(['outbound-leaves-proxy', 'breaks-traffic'], ['outbound-returns-to-proxy', 'warning']),
  },
  {
    annotations: [keys.SKIP_SUBNETS],
    value: 'proxyInit.skipSubnets',
    effects: items(['subnets-leave-proxy', 'opens-access'], ['subnets-return-to-proxy', 'breaks-traffic']),
  },
  {
    annotations: [keys.OPAQUE_PORTS],
    value: 'proxy.opaquePorts',
    effects: items(['opaque-ports-added', 'warning'], ['opaque-ports-removed', 'warning']),
  },
  { annotations: [keys.DEFAULT_INBOUND_POLICY], value: 'proxy.defaultInboundPolicy', effects: policyEffects },
  {
    annotations: [keys.REQUIRE_IDENTITY_INBOUND_PORTS],
    value: 'proxy.requireIdentityOnInboundPorts',
    effects: items(['identity-required', 'breaks-traffic'], ['identity-not-required', 'opens-access']),
  },
  {
    annotations: [keys.INJECT],
    effects: toggled(requestsProxy, ['proxy-added', 'warning'], ['proxy-removed', 'breaks-traffic']),
  },
  {
    annotations: [keys.ENABLE_GATEWAY],
    value: 'proxy.isGateway',
    effects: toggled(isTrue, ['gateway-opened', 'opens-access'], ['gateway-closed', 'breaks-traffic']),
  },
  { annotations: [keys.POD_INBOUND_PORTS], value: 'proxy.podInboundPorts', effects: always('routing', 'warning') },
  {
    annotations: [keys.ENABLE_EXTERNAL_PROFILES],
    value: 'proxy.enableExternalProfiles',
    effects: always('routing', 'warning'),
  },
  {
    annotations: [keys.CONTROL_PORT, keys.ADMIN_PORT, keys.INBOUND_PORT, keys.OUTBOUND_PORT],
    value: 'proxy.ports',
    effects: always('proxy-ports', 'warning'),
  },
  {
    annotations: [
      keys.PROXY_AWAIT,
      keys.NATIVE_SIDECAR,
      keys.NATIVE_SIDECAR_BETA,
      keys.NATIVE_SIDECAR_ALPHA,
      keys.PROXY_WAIT_BEFORE_EXIT_SECONDS,
      keys.SHUTDOWN_GRACE_PERIOD,
      keys.PROXY_ADMIN_SHUTDOWN,
    ],
    effects: always('lifecycle', 'warning'),
  },
  {
    annotations: [
      keys.CLOSE_WAIT_TIMEOUT,
      keys.PROXY_OUTBOUND_CONNECT_TIMEOUT,
      keys.PROXY_INBOUND_CONNECT_TIMEOUT,
      keys.PROXY_OUTBOUND_DISCOVERY_CACHE_UNUSED_TIMEOUT,
      keys.PROXY_INBOUND_DISCOVERY_CACHE_UNUSED_TIMEOUT,
      keys.PROXY_DISABLE_OUTBOUND_PROTOCOL_DETECT_TIMEOUT,
      keys.PROXY_DISABLE_INBOUND_PROTOCOL_DETECT_TIMEOUT,
    ],
    effects: always('timeouts', 'warning'),
  },
  {
    annotations: [
      keys.PROXY_CPU_REQUEST,
      keys.PROXY_CPU_LIMIT,
      keys.PROXY_CPU_RATIO_LIMIT,
      keys.PROXY_MEMORY_REQUEST,
      keys.PROXY_MEMORY_LIMIT,
      keys.PROXY_EPHEMERAL_STORAGE_REQUEST,
      keys.PROXY_EPHEMERAL_STORAGE_LIMIT,
    ],
    effects: always('resources', 'info'),
  },
  { annotations: [keys.PROXY_UID, keys.PROXY_GID], effects: always('user', 'warning') },
  {
    annotations: [
      keys.PROXY_IMAGE,
      keys.PROXY_VERSION,
      keys.IMAGE_PULL_POLICY,
      keys.INIT_IMAGE,
      keys.INIT_IMAGE_VERSION,
    ],
    effects: always('image', 'warning'),
  },
  {
    annotations: [keys.ENABLE_DEBUG_SIDECAR, keys.DEBUG_IMAGE, keys.DEBUG_IMAGE_VERSION, keys.DEBUG_IMAGE_PULL_POLICY],
    effects: always('debug-container', 'warning'),
  },
  {
    annotations: [keys.PROXY_LOG_LEVEL, keys.PROXY_LOG_FORMAT, keys.PROXY_LOG_HTTP_HEADERS],
    effects: always('log', 'info'),
  },
  { annotations: [keys.ACCESS_LOG], effects: always('access-log', 'info') },
  {
    annotations: [keys.PROXY_ADDITIONAL_ENV, keys.PROXY_METRICS_HOSTNAME_LABELS],
    effects: always('variables', 'warning'),
  },
  { annotations: [keys.TRACE_COLLECTOR, keys.TRACE_COLLECTOR_SERVICE_ACCOUNT], effects: always('tracing', 'info') },
];

const BY_PREFIX: readonly (readonly [prefix: RegExp, effects: ProxySetting['effects']])[] = [
  [new RegExp(`^${TRACE_ATTRIBUTE_PREFIX.replaceAll('.', '\\.')}`), always('tracing', 'info')],
  // Annotations of Services and routes: https://linkerd.io/2-edge/reference/retries/ and /reference/timeouts/.
  [/^(?:retry|timeout)\.linkerd\.io\//, always('timeouts', 'warning')],
  [/^balancer(?:\.alpha|\.beta)?\.linkerd\.io\//, always('load-balancing', 'warning')],
  [/^config(?:\.alpha|\.beta)?\.linkerd\.io\//, always('unknown', 'warning')],
];

const BY_ANNOTATION = new Map(
  PROXY_SETTINGS.flatMap(({ annotations, effects }) => annotations.map((annotation) => [annotation, effects] as const)),
);

/** Returns the effects of an annotation by its name; undefined if Linkerd does not read it. */
export function effectsOf(annotation: string): ProxySetting['effects'] | undefined {
  return BY_ANNOTATION.get(annotation) ?? BY_PREFIX.find(([prefix]) => prefix.test(annotation))?.[1];
}
