import type { Values } from '#base/values';
import type { Values as EdgeControlPlane } from '#imports/charts/linkerd-control-plane/edge-26.8.3';
import type { ChartGroup } from './chart-group';

const startingAfter = (initialDelaySeconds: number) => ({ initialDelaySeconds, timeoutSeconds: null });

const CORES_OF_ALL_PROXIES = { cores: null };
const NO_ENVIRONMENT = { additionalEnv: null, experimentalEnv: null };
const NO_ARGUMENTS = { additionalArgs: null, experimentalArgs: null };
const NO_PROBES = { livenessProbe: null, readinessProbe: null };

const WITHOUT_TIMESTAMPS = {
  podMonitor: {
    controller: { honorTimestamps: null },
    proxy: { honorTimestamps: null },
    serviceMirror: { honorTimestamps: null },
  },
} satisfies EdgeControlPlane;

/** Settings for which 2.14 has no values, as its templates fix them; null if 2.14 lacks the setting. */
const STABLE_2_14_SETTINGS: Values = {
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
    // Proxies of 2.14 log headers if their log level includes them.
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

/** The differences between the templates of chart linkerd-control-plane. */
export interface ControlPlaneTemplates {
  /** The init container's image: one of its own, `proxyInit.image`, or the proxy's. */
  readonly initImage: 'own' | 'proxy';
  /**
   * Proxies that send traces get the labels of their pod; the first charts require a value for it that nothing sets.
   */
  readonly podInfo: boolean;
  /** Native sidecars refuse `proxy.waitBeforeExitSeconds`, which later releases ignore. */
  readonly nativeSidecarRefusesWait: boolean;
  /** The domain of the identity that proxies expect of the trace collector. */
  readonly traceCollectorDomain: 'clusterDomain' | 'trustDomain';
  /** The values that set the user of linkerd-network-validator: individual fields, or one switch for all of them. */
  readonly validatorUser: 'fields' | 'switch';
  /** The container ports of the control plane and of Viz with metrics, as regular expressions on their names. */
  readonly adminPorts: AdminPorts;
  /** The targets of the chart's own PodMonitors. */
  readonly chartMonitors: ChartMonitors;
  /** The names of the container ports of controllers: unique, or shared. */
  readonly portNames: 'own' | 'shared';
  /**
   * How the service account's token gets into pods: by a volume that only the controllers mount, or by Kubernetes, also
   * into the containers of their proxies.
   */
  readonly apiAccess: 'volume' | 'automount';
  /** The image of the policy controller: that of all controllers, or its own, `policyController.image`. */
  readonly policyImage: 'controller' | 'own';
  /** Components can listen on IPv6 addresses. */
  readonly ipv6: boolean;
  /** Where tracing is configured: in the control plane and its proxies, or in the extension linkerd-jaeger. */
  readonly tracing: 'builtIn' | 'extension';
  /**
   * Components have their own settings: pod annotations, environment variables, arguments, the timeouts of probes, and
   * the number of unavailable pods.
   */
  readonly componentSettings: boolean;
  /**
   * Proxies have settings for the bounds of their worker threads, the lifetimes of streams and connections, a shutdown
   * endpoint and host names in metrics, and values set their probes and their transport.
   */
  readonly proxyBounds: boolean;
  /** The resources of init containers: the proxy's, or their own, `proxyInit.resources`. */
  readonly initResources: 'proxy' | 'own';
  /** The init container refuses `proxyInit.closeWaitTimeoutSecs` unless it runs as root. */
  readonly closeWaitNeedsRoot: boolean;
  /** Init containers have a group as well as a user. */
  readonly initGroups: boolean;
  /**
   * The control plane supports egress, rate limits, all routes of the Gateway API, and workloads outside the cluster;
   * otherwise only Servers, their clients, and HTTP routes.
   */
  readonly egressAndExternalWorkloads: boolean;
  /** The injector's webhook has a timeout, and is limited to objects in namespaces. */
  readonly boundedInjection: boolean;
  /** The role that reads the configuration is labelled as part of the control plane. */
  readonly labelledConfigRole: boolean;
  /** Settings without a value: as the templates fix them, or null if they lack the setting. */
  readonly builtIn: Values;
}

/** The names of ports with metrics. */
export interface AdminPorts {
  readonly keep: string;
  /** Names that `keep` also matches: that of the proxies' port, which has a separate job. */
  readonly drop?: string;
}

/** Components and ports are regular expressions. */
interface ChartMonitors {
  readonly controllers: AdminPorts;
  readonly mirrors: { readonly name: string; readonly components: string; readonly ports: AdminPorts };
}

const EDGE_25_10_7: ControlPlaneTemplates = {
  initImage: 'own',
  podInfo: false,
  nativeSidecarRefusesWait: true,
  traceCollectorDomain: 'clusterDomain',
  validatorUser: 'fields',
  // The ports have unique names since 2.19: https://linkerd.io/2-edge/reference/controlplane-port-names/
  adminPorts: { keep: '.*admin$', drop: 'linkerd-admin' },
  // The chart expects the ports' common suffix, and so misses a port with the name `admin`.
  chartMonitors: {
    controllers: { keep: '.*-admin$', drop: 'linkerd-admin' },
    mirrors: {
      name: 'linkerd-multicluster-controller',
      components: '(linkerd-service-mirror|controller)',
      ports: { keep: '.*-admin$', drop: 'linkerd-admin' },
    },
  },
  portNames: 'own',
  apiAccess: 'volume',
  policyImage: 'controller',
  ipv6: true,
  tracing: 'builtIn',
  componentSettings: true,
  proxyBounds: true,
  initResources: 'proxy',
  closeWaitNeedsRoot: true,
  initGroups: true,
  egressAndExternalWorkloads: true,
  boundedInjection: true,
  labelledConfigRole: true,
  builtIn: WITHOUT_TIMESTAMPS,
};
const EDGE_25_11_2: ControlPlaneTemplates = { ...EDGE_25_10_7, podInfo: true };
const EDGE_26_5_1: ControlPlaneTemplates = { ...EDGE_25_11_2, initImage: 'proxy' };
const EDGE_26_6_3: ControlPlaneTemplates = { ...EDGE_26_5_1, nativeSidecarRefusesWait: false, builtIn: {} };
const EDGE_26_8_3: ControlPlaneTemplates = { ...EDGE_26_6_3, traceCollectorDomain: 'trustDomain' };

const STABLE_2_14_10: ControlPlaneTemplates = {
  ...EDGE_25_10_7,
  validatorUser: 'switch',
  adminPorts: { keep: 'admin-http' },
  chartMonitors: {
    controllers: { keep: 'admin-http' },
    mirrors: {
      name: 'linkerd-service-mirror',
      components: 'linkerd-service-mirror',
      ports: { keep: 'admin-http$' },
    },
  },
  portNames: 'shared',
  apiAccess: 'automount',
  policyImage: 'own',
  ipv6: false,
  tracing: 'extension',
  componentSettings: false,
  proxyBounds: false,
  initResources: 'own',
  closeWaitNeedsRoot: false,
  initGroups: false,
  egressAndExternalWorkloads: false,
  boundedInjection: false,
  labelledConfigRole: false,
  builtIn: STABLE_2_14_SETTINGS,
};

/** Chart linkerd-control-plane, by groups of releases. */
export const CONTROL_PLANE = {
  'edge-26.8.3': { values: 'edge-26.8.3', templates: EDGE_26_8_3 },
  'edge-26.6.3': { values: 'edge-26.8.3', templates: EDGE_26_6_3 },
  'edge-26.5.1': { values: 'edge-26.5.1', templates: EDGE_26_5_1 },
  'edge-25.11.2': { values: 'edge-25.10.7', templates: EDGE_25_11_2 },
  'edge-25.10.7': { values: 'edge-25.10.7', templates: EDGE_25_10_7 },
  'stable-2.14.10': { values: 'stable-2.14.10', templates: STABLE_2_14_10 },
} as const satisfies Readonly<Record<string, ChartGroup<ControlPlaneTemplates>>>;
