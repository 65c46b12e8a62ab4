import { certManager, trustManager } from './jetstack-knowledge';
import type { JsonSchema } from './json-schema';
import {
  boolean,
  fields,
  integer,
  intOrString,
  kubernetes,
  listOf,
  mapOf,
  oneOf,
  openMap,
  port,
  quantity,
  string,
  stringOrNumber,
  text,
  type ValuesKnowledge,
} from './value-types';

const goDuration = text('a Go duration such as 24h0m0s', '^([0-9]+(\\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$');
const proxyDuration = text('a duration such as 500ms, 10s or 5m', '^[0-9]+(ms|s|m|h|d)$');
/** https://prometheus.io/docs/prometheus/latest/configuration/configuration/ */
const prometheusDuration = text('a Prometheus duration such as 10s or 1m30s', '^(0|([0-9]+(ms|s|m|h|d|w|y))+)$');
const pullPolicy = oneOf('Always', 'IfNotPresent', 'Never');
const optionalPullPolicy = oneOf('', 'Always', 'IfNotPresent', 'Never');
const logFormat = oneOf('plain', 'json');
const optionalLogFormat = oneOf('', 'plain', 'json');
/** The levels that logrus, the logger of Linkerd's Go components, accepts. */
const LOG_LEVELS = ['panic', 'fatal', 'error', 'warn', 'warning', 'info', 'debug', 'trace'] as const;
const strings = mapOf(string);
const resource = fields({ limit: quantity, request: quantity });
const resources = fields({ cpu: resource, memory: resource, 'ephemeral-storage': resource });
const proxyResources = fields({ ...resources.properties, cores: integer });
const environment = listOf(kubernetes('EnvVar'));
const args = listOf(string);
const accountMount = fields({ mountPath: string, name: string, readOnly: boolean });
const capabilities = fields({ add: listOf(string), drop: listOf(string) });

function each(keys: readonly string[], type: JsonSchema, prefix = ''): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(keys.map((key) => [`${prefix}${key}`, type]));
}

function commandLine(component: string): Readonly<Record<string, JsonSchema>> {
  return {
    ...each(['additionalArgs', 'experimentalArgs'], args, `${component}.`),
    ...each(['additionalEnv', 'experimentalEnv'], environment, `${component}.`),
  };
}

const LINKERD: Readonly<Record<string, JsonSchema>> = {
  annotations: strings,
  commonLabels: strings,
  failurePolicy: oneOf('Ignore', 'Fail'),
  imagePullSecrets: listOf(kubernetes('LocalObjectReference')),
  labels: strings,
  logFormat: optionalLogFormat,
  namespaceSelector: kubernetes('LabelSelector'),
  nodeSelector: strings,
  objectSelector: kubernetes('LabelSelector'),
  podAnnotations: strings,
  podLabels: strings,
  pullPolicy: optionalPullPolicy,
  resources,
  securityContext: kubernetes('SecurityContext'),
  tolerations: listOf(kubernetes('Toleration')),
  GID: integer,
  UID: integer,
};

const INBOUND_POLICIES = [
  'all-authenticated',
  'all-unauthenticated',
  'cluster-authenticated',
  'cluster-unauthenticated',
  'deny',
];

const controlPlane: ValuesKnowledge = {
  byName: LINKERD,
  byPath: {
    controllerLogFormat: logFormat,
    controllerLogLevel: oneOf(...LOG_LEVELS),
    deploymentStrategy: kubernetes('DeploymentStrategy'),
    'identity.issuer.clockSkewAllowance': goDuration,
    'identity.issuer.issuanceLifetime': goDuration,
    'identity.issuer.scheme': oneOf('linkerd.io/tls', 'kubernetes.io/tls'),
    imagePullPolicy: pullPolicy,
    'networkValidator.logFormat': logFormat,
    'networkValidator.timeout': goDuration,
    'podMonitor.controller.namespaceSelector': string,
    'podMonitor.scrapeInterval': prometheusDuration,
    'podMonitor.scrapeTimeout': prometheusDuration,
    'proxy.cores': integer,
    ...each(['inboundConnectTimeout', 'outboundConnectTimeout'], proxyDuration, 'proxy.'),
    ...each(['inboundDiscoveryCacheUnusedTimeout', 'outboundDiscoveryCacheUnusedTimeout'], proxyDuration, 'proxy.'),
    'proxy.logFormat': logFormat,
    ...each(['admin', 'control', 'inbound', 'outbound'], port, 'proxy.ports.'),
    'proxyInit.iptablesMode': oneOf('nft', 'legacy'),
    webhookFailurePolicy: oneOf('Ignore', 'Fail'),
  },
  extra: {
    cliVersion: string,
    heartbeatSchedule: string,
    highAvailability: boolean,
    nodeAffinity: kubernetes('NodeAffinity'),
    tolerations: listOf(kubernetes('Toleration')),
    ...each(['controllerResources', 'destinationResources', 'heartbeatResources', 'identityResources'], resources),
    ...each(['proxyInjectorResources', 'spValidatorResources'], resources),
    ...each(['destinationProxyResources', 'identityProxyResources', 'proxyInjectorProxyResources'], proxyResources),
    'proxy.accessLog': oneOf('', 'apache', 'json'),
    'proxy.isGateway': boolean,
    'proxy.isIngress': boolean,
    'proxy.requireTLSOnInboundPorts': string,
    ...each(['proxy.capabilities', 'proxyInit.capabilities'], capabilities),
    ...each(['proxy.saMountPath', 'proxyInit.saMountPath'], accountMount),
  },
};

const viz: ValuesKnowledge = {
  byName: { ...LINKERD, logLevel: oneOf('', ...LOG_LEVELS) },
  byPath: {
    'dashboard.proxy': fields({ resources: proxyResources }),
    defaultImagePullPolicy: pullPolicy,
    defaultLogFormat: logFormat,
    defaultLogLevel: oneOf(...LOG_LEVELS),
    'grafana.externalUrl': string,
    'grafana.uidPrefix': string,
    'grafana.url': string,
    'metricsAPI.proxy': fields({ resources: proxyResources }),
    'prometheus.alertRelabelConfigs': listOf(openMap),
    'prometheus.alertmanagers': listOf(openMap),
    'prometheus.args': mapOf({ type: ['string', 'number', 'boolean'] }),
    'prometheus.globalConfig': openMap,
    'prometheus.logFormat': oneOf('', 'logfmt', 'plain', 'json'),
    'prometheus.logLevel': oneOf('', 'debug', 'info', 'warn', 'error'),
    'prometheus.proxy': fields({ resources: proxyResources }),
    'prometheus.remoteWrite': listOf(openMap),
    'prometheus.ruleConfigMapMounts': listOf(fields({ configMap: string, name: string, subPath: string })),
    'prometheus.scrapeConfigs': listOf(openMap),
    'prometheus.sidecarContainers': listOf(kubernetes('Container')),
    'tap.ignoreHeaders': listOf(string),
    'tap.proxy': fields({ resources: proxyResources }),
    'tapInjector.proxy': fields({ resources: proxyResources }),
  },
  extra: {
    nodeAffinity: kubernetes('NodeAffinity'),
    'prometheus.persistence': fields({ accessMode: string, size: quantity, storageClass: string }),
    resources,
  },
};

const cni: ValuesKnowledge = {
  byName: LINKERD,
  byPath: {
    extraInitContainers: listOf(kubernetes('Container')),
    inboundProxyPort: port,
    outboundProxyPort: port,
    proxyAdminPort: port,
    proxyControlPort: port,
  },
  extra: { nodeAffinity: kubernetes('NodeAffinity') },
};

/** Kubernetes' type for a container's resources, which templates print. The chart's comments show another form. */
const containerResources = kubernetes('ResourceRequirements');
const wholeNumberText = { type: ['integer', 'string'], pattern: '^[0-9]*$' } as const;

const mirror = {
  UID: integer,
  GID: integer,
  enableHeadlessServices: boolean,
  enablePodAntiAffinity: boolean,
  enablePprof: boolean,
  gateway: fields({ enabled: boolean, probe: fields({ port }) }),
  image: fields({ name: string, pullPolicy: optionalPullPolicy, version: string }),
  logFormat,
  logLevel: oneOf(...LOG_LEVELS),
  nodeAffinity: kubernetes('NodeAffinity'),
  nodeSelector: strings,
  replicas: integer,
  resources: containerResources,
  retryLimit: integer,
  tolerations: listOf(kubernetes('Toleration')),
} as const;

const multicluster: ValuesKnowledge = {
  byName: { ...LINKERD, resources: containerResources, logLevel: oneOf(...LOG_LEVELS), logFormat, port },
  byPath: {
    controllers: listOf(fields({ link: fields({ ref: fields({ name: string }) }), ...mirror })),
    'controllerDefaults.nodeAffinity': mirror.nodeAffinity,
    'gateway.deploymentAnnotations': strings,
    'gateway.loadBalancerSourceRanges': listOf(string),
    'gateway.serviceAnnotations': strings,
    'gateway.serviceExternalTrafficPolicy': oneOf('', 'Cluster', 'Local'),
    'gateway.serviceType': oneOf('ClusterIP', 'LoadBalancer', 'NodePort'),
    'gateway.terminationGracePeriodSeconds': wholeNumberText,
    imagePullPolicy: pullPolicy,
    proxyOutboundPort: port,
    remoteMirrorServiceAccountName: { type: ['string', 'array'], items: string },
  },
  extra: {
    'gateway.healthCheckNodePort': port,
    'gateway.nodePort': port,
    'gateway.probe.nodePort': port,
    'localServiceMirror.additionalEnv': environment,
    'localServiceMirror.experimentalEnv': environment,
    nodeAffinity: kubernetes('NodeAffinity'),
    nodeSelector: strings,
    serviceMirrorAdditionalEnv: environment,
    serviceMirrorExperimentalEnv: environment,
    tolerations: listOf(kubernetes('Toleration')),
  },
};

/** Types of values, by chart and line of releases. */
const VALUES_KNOWLEDGE: Readonly<Record<string, ValuesKnowledge>> = {
  'cert-manager/v1.21.1': certManager,
  'trust-manager/v0.24.0': trustManager,
  'linkerd-control-plane/edge': {
    ...controlPlane,
    byPath: {
      ...controlPlane.byPath,
      configReaders: listOf(fields({ kind: string, name: string, namespace: string })),
      'controller.podDisruptionBudget.maxUnavailable': intOrString,
      'proxy.defaultInboundPolicy': oneOf(...INBOUND_POLICIES, 'audit'),
      'proxy.logHTTPHeaders': oneOf('', 'off', 'insecure'),
      'proxy.outboundTransportMode': oneOf('transport-header', 'transparent'),
      'proxy.runtime.workers.maximumCPURatio': { type: 'number' },
      ...each(['idleTimeout', 'initialTimeout', 'lifetime'], proxyDuration, 'proxy.control.streams.'),
      ...each(['keepAliveInterval', 'keepAliveTimeout'], proxyDuration, 'proxy.inbound.server.http2.'),
      ...each(['keepAliveInterval', 'keepAliveTimeout'], proxyDuration, 'proxy.outbound.server.http2.'),
      // The API server accepts webhook timeouts from 1 to 30 seconds.
      'proxyInjector.timeoutSeconds': { type: 'integer', minimum: 1, maximum: 30 },
    },
    extra: {
      ...controlPlane.extra,
      'destinationController.meshedHttp2ClientProtobuf.flow_control': openMap,
      'destinationController.meshedHttp2ClientProtobuf.internals': openMap,
      'heartbeat.podAnnotations': strings,
      'networkValidator.enableSecurityContext': boolean,
      'proxy.runtime.workers.maximum': integer,
      ...each(['additionalEnv', 'experimentalEnv'], environment, 'heartbeat.'),
      ...each(['additionalEnv', 'experimentalEnv'], environment, 'proxy.'),
      ...commandLine('destinationController'),
      ...commandLine('identity'),
      ...commandLine('policyController'),
      ...commandLine('proxyInjector'),
      ...commandLine('spValidator'),
    },
  },
  'linkerd-control-plane/stable': {
    ...controlPlane,
    byPath: { ...controlPlane.byPath, 'proxy.defaultInboundPolicy': oneOf(...INBOUND_POLICIES) },
    extra: { ...controlPlane.extra, policyControllerResources: resources },
  },
  'linkerd-crds/edge': {
    byName: {},
    byPath: {},
    extra: { enableHttpRoutes: boolean, enableTcpRoutes: boolean, enableTlsRoutes: boolean },
  },
  'linkerd-crds/stable': { byName: {}, byPath: {}, extra: {} },
  'linkerd-jaeger/stable': {
    byName: LINKERD,
    byPath: {
      imagePullPolicy: pullPolicy,
      'jaeger.image.version': stringOrNumber,
      'webhook.logLevel': oneOf(...LOG_LEVELS),
    },
    extra: {},
  },
  'linkerd-multicluster/edge': multicluster,
  'linkerd-viz/edge': {
    ...viz,
    byPath: { ...viz.byPath, 'prometheus.metricRelabelConfigs': listOf(openMap) },
  },
  'linkerd-viz/stable': viz,
  'linkerd2-cni/edge': {
    ...cni,
    byPath: {
      ...cni.byPath,
      iptablesMode: oneOf('nft', 'legacy', 'plain'),
      'repairController.logFormat': logFormat,
      updateStrategy: kubernetes('DaemonSetUpdateStrategy'),
    },
  },
  'linkerd2-cni/stable': cni,
};

/** The line of a release, `edge` or `stable`, or the release itself if its chart has no lines. */
export function lineOf(release: string): string {
  return release.replace(/-.*/, '');
}

/** Returns the types of a chart's values at a release that the chart's defaults do not show. */
export function knowledgeOf(chart: string, release: string): ValuesKnowledge | undefined {
  return VALUES_KNOWLEDGE[`${chart}/${lineOf(release)}`];
}
