import type { Values as EdgeControlPlane } from '../../../../imports/charts/linkerd-control-plane/edge-26.8.3';
import type { Values } from '../../../kubernetes/values';

/** A probe of which the templates say when it starts, and nothing else. */
const startingAfter = (initialDelaySeconds: number) => ({ initialDelaySeconds, timeoutSeconds: null });

const CORES_OF_ALL_PROXIES = { cores: null };
const NO_ENVIRONMENT = { additionalEnv: null, experimentalEnv: null };
const NO_ARGUMENTS = { additionalArgs: null, experimentalArgs: null };
const NO_PROBES = { livenessProbe: null, readinessProbe: null };

/** The PodMonitors of releases that have no value for whose timestamps metrics get. */
export const WITHOUT_TIMESTAMPS = {
  podMonitor: {
    controller: { honorTimestamps: null },
    proxy: { honorTimestamps: null },
    serviceMirror: { honorTimestamps: null },
  },
} satisfies EdgeControlPlane;

/**
 * Settings of control planes that 2.14 has no values for: what its templates have in their place, whatever the values
 * say, and null where they have nothing.
 */
export const STABLE_2_14_SETTINGS: Values = {
  ...WITHOUT_TIMESTAMPS,
  configReaders: null,
  controller: { podDisruptionBudget: { maxUnavailable: 1 }, tracing: null },
  controllerGID: null,
  destinationController: null,
  destinationProxyResources: CORES_OF_ALL_PROXIES,
  disableIPv6: true,
  egress: null,
  heartbeat: null,
  identity: { podAnnotations: null, ...NO_ENVIRONMENT, ...NO_PROBES },
  identityProxyResources: CORES_OF_ALL_PROXIES,
  networkValidator: { securityContext: null },
  policyController: { ...NO_ARGUMENTS, ...NO_PROBES },
  proxy: {
    ...NO_ENVIRONMENT,
    control: null,
    enableShutdownEndpoint: null,
    gid: null,
    inbound: null,
    livenessProbe: startingAfter(10),
    // Its proxies log headers where their log level says so.
    logHTTPHeaders: 'insecure',
    metrics: null,
    nativeSidecar: false,
    outbound: null,
    outboundTransportMode: null,
    readinessProbe: startingAfter(2),
    runtime: null,
    securityContext: null,
    startupProbe: null,
    tracing: null,
  },
  proxyInit: { runAsGroup: null },
  proxyInjector: { podAnnotations: null, timeoutSeconds: null, ...NO_ENVIRONMENT, ...NO_PROBES },
  proxyInjectorProxyResources: CORES_OF_ALL_PROXIES,
  revisionHistoryLimit: null,
  spValidator: null,
} satisfies EdgeControlPlane;
