import { checkLogLevel } from '../proxy-values/log-level';
import { checkPortList } from '../proxy-values/port-list';
import { checkProxyDuration } from '../proxy-values/proxy-duration';
import { checkSubnetList } from '../proxy-values/subnets';
import {
  bothOf,
  checkDomain,
  checkImageName,
  checkImageTag,
  checkOneLine,
  checkPath,
  checkPlainText,
  checkSocketAddress,
  checkWord,
} from './text-forms';
import {
  ANYTHING,
  BOOLEAN,
  exactText,
  fields,
  fraction,
  listOf,
  mapOf,
  needed,
  TEXT,
  textOf,
  type ValueType,
  type ValueTypes,
  whole,
} from './value-type';

/** Kubernetes' limit for int32 fields, also for seconds and user ids. */
const MAX = 2 ** 31 - 1;

const SAFE = Number.MAX_SAFE_INTEGER;

const count = whole(0, MAX);
const port = needed(whole(1, 65_535));
const texts = mapOf(TEXT);
const duration = textOf(checkProxyDuration);
const ports = textOf(checkPortList);
const subnets = textOf(checkSubnetList);
const logFormat = textOf(checkWord('plain', 'json'));
const pullPolicy = textOf(checkWord('Always', 'IfNotPresent', 'Never'));

/** An image whose version defaults to the release. */
const image = fields({
  name: needed(textOf(checkImageName)),
  version: textOf(checkImageTag),
  pullPolicy,
});

/** The separate image of the init container in some releases, with its own version. */
export const INIT_IMAGE: ValueType = fields({
  name: needed(textOf(checkImageName)),
  version: needed(textOf(checkImageTag)),
  pullPolicy,
});

const amount = fields({ limit: TEXT, request: TEXT });
export const RESOURCES: ValueType = fields({ cpu: amount, memory: amount, 'ephemeral-storage': amount });

const capabilities = fields({ add: listOf(TEXT), drop: listOf(TEXT) });
const user = whole(0, MAX);
const securityProfile = fields({
  type: needed(exactText(checkWord('Localhost', 'RuntimeDefault', 'Unconfined'))),
  localhostProfile: exactText(),
});
const securityContext = fields({
  allowPrivilegeEscalation: BOOLEAN,
  appArmorProfile: securityProfile,
  capabilities: fields({ add: listOf(exactText()), drop: listOf(exactText()) }),
  privileged: BOOLEAN,
  procMount: exactText(checkWord('Default', 'Unmasked')),
  seLinuxOptions: fields({ level: exactText(), role: exactText(), type: exactText(), user: exactText() }),
  seccompProfile: securityProfile,
  windowsOptions: fields({
    gmsaCredentialSpec: exactText(),
    gmsaCredentialSpecName: exactText(),
    hostProcess: BOOLEAN,
    runAsUserName: exactText(),
  }),
  readOnlyRootFilesystem: BOOLEAN,
  runAsGroup: user,
  runAsNonRoot: BOOLEAN,
  runAsUser: user,
});

const env = listOf(fields({ name: needed(TEXT), value: TEXT, valueFrom: ANYTHING }));
const probe = fields({ initialDelaySeconds: count, timeoutSeconds: count });
const transport = mapOf(mapOf(mapOf(ANYTHING)));

/** The inbound policies that proxies of all releases support. */
export const INBOUND_POLICIES: readonly string[] = [
  'all-authenticated',
  'all-unauthenticated',
  'cluster-authenticated',
  'cluster-unauthenticated',
  'deny',
];

const mount = fields({ name: TEXT, mountPath: TEXT, readOnly: BOOLEAN });

const tracing = fields({
  enabled: BOOLEAN,
  protocol: textOf(checkPlainText),
  labels: mapOf(textOf(checkOneLine), checkOneLine),
  traceServiceName: textOf(checkPlainText),
  collector: fields({
    endpoint: textOf(checkPlainText),
    meshIdentity: fields({ serviceAccountName: textOf(checkPlainText), namespace: textOf(checkPlainText) }),
  }),
});

const proxy = fields({
  capabilities,
  enableExternalProfiles: BOOLEAN,
  image: needed(image),
  enableShutdownEndpoint: BOOLEAN,
  logLevel: textOf(checkLogLevel),
  logFormat,
  logHTTPHeaders: TEXT,
  ports: needed(fields({ admin: port, control: port, inbound: port, outbound: port })),
  resources: needed(RESOURCES),
  uid: needed(whole(1, MAX)),
  // A negative number means none.
  gid: whole(-MAX, MAX),
  waitBeforeExitSeconds: count,
  isGateway: BOOLEAN,
  isIngress: BOOLEAN,
  requireIdentityOnInboundPorts: ports,
  outboundConnectTimeout: duration,
  inboundConnectTimeout: duration,
  outboundDiscoveryCacheUnusedTimeout: duration,
  inboundDiscoveryCacheUnusedTimeout: duration,
  disableOutboundProtocolDetectTimeout: BOOLEAN,
  disableInboundProtocolDetectTimeout: BOOLEAN,
  podInboundPorts: ports,
  opaquePorts: ports,
  await: BOOLEAN,
  defaultInboundPolicy: textOf(checkWord(...INBOUND_POLICIES, 'audit')),
  outboundTransportMode: TEXT,
  accessLog: textOf(checkWord('apache', 'json')),
  shutdownGracePeriod: duration,
  nativeSidecar: BOOLEAN,
  startupProbe: needed(fields({ initialDelaySeconds: count, periodSeconds: count, failureThreshold: count })),
  readinessProbe: needed(probe),
  livenessProbe: needed(probe),
  control: fields({ streams: fields({ initialTimeout: duration, idleTimeout: duration, lifetime: duration }) }),
  metrics: needed(fields({ hostnameLabels: BOOLEAN })),
  tracing,
  additionalEnv: env,
  experimentalEnv: env,
  inbound: transport,
  outbound: transport,
  cores: count,
  runtime: fields({ workers: fields({ maximum: count, minimum: count, maximumCPURatio: fraction(0, 1) }) }),
  securityContext,
  saMountPath: mount,
});

const proxyInit = fields({
  capabilities,
  // Parsed, but unused since the init container uses the proxy's resources.
  resources: RESOURCES,
  ignoreInboundPorts: ports,
  ignoreOutboundPorts: ports,
  kubeAPIServerPorts: ports,
  skipSubnets: subnets,
  logLevel: textOf(checkWord('panic', 'fatal', 'error', 'warn', 'warning', 'info', 'debug', 'trace')),
  logFormat,
  saMountPath: mount,
  xtMountPath: needed(
    fields({
      // The volume has this name in each pod, regardless of the values (linkerd2, charts/patch/templates/patch.json).
      name: needed(textOf(checkWord('linkerd-proxy-init-xtables-lock'))),
      mountPath: needed(textOf(checkPath)),
    }),
  ),
  closeWaitTimeoutSecs: count,
  privileged: BOOLEAN,
  runAsRoot: BOOLEAN,
  runAsUser: user,
  runAsGroup: user,
  iptablesMode: TEXT,
});

const networkValidator = fields({
  logLevel: needed(textOf(checkLogLevel)),
  logFormat: needed(logFormat),
  connectAddr: textOf(checkSocketAddress),
  listenAddr: textOf(checkSocketAddress),
  timeout: needed(textOf(bothOf(checkProxyDuration, checkPlainText))),
  securityContext,
});

const certificate = exactText();
const webhook = {
  externalSecret: BOOLEAN,
  keyPEM: certificate,
  crtPEM: certificate,
  caBundle: certificate,
  injectCaFrom: certificate,
  injectCaFromSecret: certificate,
  namespaceSelector: fields({
    matchExpressions: listOf(fields({ key: exactText(), operator: exactText(), values: listOf(exactText()) })),
    matchLabels: texts,
  }),
};

/** Values that do not affect pods, but must have their types for the injector to read any values. */
const COMPONENTS: ValueTypes = {
  controllerImage: TEXT,
  controllerReplicas: count,
  controllerUID: whole(-SAFE, SAFE),
  controllerGID: whole(-SAFE, SAFE),
  enableH2Upgrade: BOOLEAN,
  enablePodAntiAffinity: BOOLEAN,
  nodeAffinity: mapOf(ANYTHING),
  enablePodDisruptionBudget: BOOLEAN,
  controller: fields({ podDisruptionBudget: fields({ maxUnavailable: TEXT }), tracing }),
  webhookFailurePolicy: TEXT,
  deploymentStrategy: mapOf(ANYTHING),
  disableHeartBeat: BOOLEAN,
  heartbeatSchedule: TEXT,
  controllerLogLevel: TEXT,
  controllerLogFormat: TEXT,
  highAvailability: BOOLEAN,
  enableEndpointSlices: BOOLEAN,
  prometheusUrl: TEXT,
  imagePullSecrets: listOf(texts),
  revisionHistoryLimit: count,
  destinationController: fields({ meshedHttp2ClientProtobuf: mapOf(ANYTHING), podAnnotations: texts }),
  heartbeat: mapOf(ANYTHING),
  spValidator: mapOf(ANYTHING),
  podAnnotations: texts,
  podLabels: texts,
  priorityClassName: TEXT,
  podMonitor: fields({
    enabled: BOOLEAN,
    scrapeInterval: TEXT,
    scrapeTimeout: TEXT,
    controller: fields({ enabled: BOOLEAN, namespaceSelector: TEXT, honorTimestamps: BOOLEAN }),
    serviceMirror: fields({ enabled: BOOLEAN, honorTimestamps: BOOLEAN }),
    proxy: fields({ enabled: BOOLEAN, honorTimestamps: BOOLEAN }),
  }),
  policyController: fields({ resources: RESOURCES, logLevel: TEXT, probeNetworks: listOf(TEXT) }),
  proxyInjector: fields({ ...webhook, podAnnotations: texts, additionalEnv: env, experimentalEnv: env }),
  profileValidator: fields(webhook),
  policyValidator: fields(webhook),
  nodeSelector: texts,
  tolerations: listOf(ANYTHING),
  destinationResources: RESOURCES,
  heartbeatResources: RESOURCES,
  identityResources: RESOURCES,
  proxyInjectorResources: RESOURCES,
  destinationProxyResources: RESOURCES,
  identityProxyResources: RESOURCES,
  proxyInjectorProxyResources: RESOURCES,
  egress: fields({ globalEgressNetworkNamespace: TEXT }),
};

/**
 * The types of all values that the newest injector parses: nearly all of the chart. If one value has another type, the
 * injector can read none, and injects no more pods. Null is a zero value in Go, so only values that templates use
 * unconditionally are required.
 *
 * Source: edge-26.8.3's linkerd2, pkg/charts/linkerd2/values.go, and their use in charts/patch and charts/partials.
 */
export const INJECTED_VALUES: ValueTypes = {
  ...COMPONENTS,
  clusterDomain: needed(textOf(checkDomain)),
  clusterNetworks: subnets,
  imagePullPolicy: pullPolicy,
  cliVersion: TEXT,
  cniEnabled: BOOLEAN,
  disableIPv6: BOOLEAN,
  identityTrustAnchorsPEM: TEXT,
  identityTrustDomain: textOf(checkDomain),
  linkerdVersion: needed(textOf(checkImageTag)),
  proxy: needed(proxy),
  proxyInit: needed(proxyInit),
  networkValidator: needed(networkValidator),
  debugContainer: needed(fields({ image: needed(image) })),
  identity: needed(
    fields({
      externalCA: BOOLEAN,
      serviceAccountTokenProjection: BOOLEAN,
      issuer: fields({
        scheme: TEXT,
        clockSkewAllowance: TEXT,
        issuanceLifetime: TEXT,
        tls: fields({ keyPEM: TEXT, crtPEM: TEXT }),
      }),
      kubeAPI: fields({ clientQPS: fraction(-SAFE, SAFE), clientBurst: whole(-SAFE, SAFE) }),
      podAnnotations: texts,
      additionalEnv: env,
      experimentalEnv: env,
    }),
  ),
};
